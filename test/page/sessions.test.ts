import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import type { AuditEntry } from '../../src/core/observability/audit.js';
import { resumeCommand } from '../../src/page/wording/resume-command.js';
import { auditInto } from '../kit/audits.js';
import { plainPolicy } from '../kit/policy.js';
import { startIn } from '../sessions/manager-scene.js';
import { createDeskScene, phone } from './desk-scene.js';

type Scene = Awaited<ReturnType<typeof createDeskScene>>;

/** A session that a person has started on the page. */
async function startOnPage({ desk, backend, project }: Scene, input: object = {}) {
  const index = backend.processes.length;
  const started = desk.call('start', { prompt: 'do it', folder: project, ...input }, phone);
  const process = await backend.process(index);
  await process.prompt(0);
  process.init();
  return { ...(await started), process };
}

/** A session that someone has had in a terminal. */
function writeOnDisk({ claudeHome, project }: Scene, id: string, prompt: string): void {
  const folder = join(claudeHome.projectsDir, 'project');
  mkdirSync(folder, { recursive: true });
  const message = { role: 'user', content: prompt };
  const line = { type: 'user', uuid: id, cwd: project, entrypoint: 'cli', sessionId: id, message };
  writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
}

describe('the list', () => {
  it('shows sessions here and on disk, newest first, and finds them', async () => {
    const scene = await createDeskScene();
    const { session } = await startIn(scene, { maxBudgetUsd: 2, title: 'Fix the build' });
    const other = '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04';
    writeOnDisk(scene, other, 'hello');

    const all = await scene.desk.call('sessions', { offset: 0, limit: 10 }, phone);
    const found = await scene.desk.call('sessions', { search: 'fix', offset: 0, limit: 10 }, phone);
    const onDisk = await scene.desk.call('sessions', { status: 'disk', offset: 0, limit: 10 }, phone);

    expect(all.rows.map(({ sessionId, status }) => [sessionId, status])).toEqual(
      expect.arrayContaining([
        [session.id, 'running'],
        [other, 'disk'],
      ]),
    );
    expect(found).toMatchObject({
      more: 0,
      rows: [
        { sessionId: session.id, title: 'Fix the build', folder: scene.project, budgetUsd: 2, costUsd: 0 },
      ],
    });
    expect(onDisk.rows.map(({ sessionId }) => sessionId)).toEqual([other]);
  });

  it('says how many sessions follow a page', async () => {
    const scene = await createDeskScene();
    for (let index = 0; index < 3; index += 1) await startIn(scene);

    const page = await scene.desk.call('sessions', { status: 'running', offset: 0, limit: 2 }, phone);

    expect([page.rows.length, page.more]).toEqual([2, 1]);
  });
});

describe('a session', () => {
  it('is started on the page with a device on record', async () => {
    const entries: AuditEntry[] = [];
    const scene = await createDeskScene({ audit: auditInto(entries) });

    const { sessionId, process } = await startOnPage(scene, { mode: 'acceptEdits', budgetUsd: 3 });

    expect(process.launch.options).toMatchObject({
      cwd: scene.project,
      permissionMode: 'acceptEdits',
      maxBudgetUsd: 3,
    });
    expect(entries).toMatchObject([
      { what: 'prompt_given', sessionId, clientId: 'page:d1', device: 'Phone', promptChars: 5 },
    ]);
  });

  it('shows what a person can do about it', async () => {
    const scene = await createDeskScene();
    const { sessionId, process } = await startOnPage(scene);
    const details = () => scene.desk.call('session', { sessionId }, phone);

    const running = await details();
    process.result();
    const idle = await details();
    await scene.desk.call('cancel', { sessionId }, phone);
    const cancelled = await details();

    expect(running).toMatchObject({
      row: { status: 'running' },
      mode: 'default',
      turns: 1,
      queued: [],
      notes: [],
      head: 0,
      may: { reply: true, interrupt: true, cancel: true },
    });
    expect(running).not.toHaveProperty('resumeCommand');
    expect(idle).toMatchObject({
      row: { status: 'idle' },
      may: { reply: true, interrupt: false, cancel: true },
      resumeCommand: resumeCommand(scene.project, sessionId),
    });
    expect(cancelled.may).toEqual({ reply: false, interrupt: false, cancel: false });
  });

  it('is not said to be unsaved if Claude has forgotten answers', async () => {
    const scene = await createDeskScene();
    const { session, process } = await startIn(scene);
    process.result();

    session.catchUp({ totals: session.view.totals, forgotAfter: 1 });
    const { notes } = await scene.desk.call('session', { sessionId: session.id }, phone);

    expect(notes).toEqual([
      'Claude Code could not write its last answers to its transcript, so it no longer remembers them.',
    ]);
  });

  it('takes prompts that steer or queue, and can be interrupted and cancelled, on record', async () => {
    const entries: AuditEntry[] = [];
    const scene = await createDeskScene({ audit: auditInto(entries) });
    const { sessionId, process } = await startOnPage(scene);

    await scene.desk.call('reply', { sessionId, prompt: 'and this', whenBusy: 'steer' }, phone);
    await scene.desk.call('reply', { sessionId, prompt: 'then that', whenBusy: 'queue' }, phone);
    const { queued } = await scene.desk.call('session', { sessionId }, phone);
    const interrupted = scene.desk.call('interrupt', { sessionId }, phone);
    process.result({ outcome: 'interrupted' }, process.prompts);
    await interrupted;
    await scene.desk.call('cancel', { sessionId }, phone);

    expect(process.prompts.map(({ text }) => text)).toEqual(['do it', 'and this']);
    expect(queued).toEqual(['then that']);
    expect(entries.filter(({ what }) => what === 'page_action')).toMatchObject([
      { action: 'interrupt', sessionId, device: 'Phone' },
      { action: 'cancel', sessionId, device: 'Phone' },
    ]);
  });

  it('has older events on request', async () => {
    const scene = await createDeskScene();
    const { sessionId, process } = await startOnPage(scene);
    for (const text of ['one', 'two', 'three', 'four']) process.event({ type: 'text', text });
    const before = (seq: number, limit: number) =>
      scene.desk.call('events', { sessionId, before: seq, limit }, phone);

    const some = await before(4, 2);
    const rest = await before(2, 10);

    expect(some.events.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(rest.events.map(({ seq }) => seq)).toEqual([0.001, 1]);
    expect([some.dropped, rest.dropped]).toEqual([0, 0]);
  });

  it('cannot be started outside the roots, or in a mode that the operator does not list', async () => {
    const scene = await createDeskScene({ policy: { ...plainPolicy, callerModes: ['plan'] } });

    const start = (input: object) => scene.desk.call('start', { prompt: 'do it', ...input }, phone);

    await expect(start({ folder: '/' })).rejects.toMatchObject({ reason: 'folder_too_wide' });
    await expect(start({ folder: scene.project, mode: 'acceptEdits' })).rejects.toMatchObject({
      reason: 'mode_unlisted',
    });
  });
});

describe('the start form', () => {
  it.each([
    ['a plain policy', {}, ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto']],
    ['only people approving', { approvals: 'human' as const }, ['default', 'plan', 'dontAsk']],
    ['a list of modes', { callerModes: ['plan' as const] }, ['default', 'plan']],
    ['a list of tools', { preallow: ['Read'] }, ['default', 'plan', 'dontAsk']],
    [
      'full trust in callers',
      { callerTrust: 'full' as const },
      ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'],
    ],
  ])('offers the modes that a person may choose with %s', async (_what, changes, modes) => {
    const scene = await createDeskScene({ policy: { ...plainPolicy, ...changes } });

    expect(await scene.desk.about()).toEqual({
      modes,
      defaultFolder: scene.project,
      budgetTodayUsd: undefined,
    });
  });

  it('completes folders in which sessions have worked', async () => {
    const scene = await createDeskScene();
    const other = join(scene.project, 'other');
    mkdirSync(other);
    await startIn(scene, { cwd: other });
    const begin = async (text: string) => (await scene.desk.call('folders', { begin: text }, phone)).folders;

    expect(await begin(scene.project)).toEqual([scene.project, other]);
    expect(await begin(join(scene.project, 'o'))).toEqual([other]);
    expect(await begin('/nowhere')).toEqual([]);
  });
});

it('reports usage with the folders of the sessions', async () => {
  const scene = await createDeskScene();
  const { process } = await startIn(scene);
  process.result({ costUsd: 0.5, numTurns: 2 });

  expect(await scene.desk.call('usage', {}, phone)).toMatchObject({
    total: { costUsd: 0.5, turns: 2, tokens: 0 },
    projects: [{ folder: scene.project, costUsd: 0.5 }],
  });
});

it.each([
  ['sessions', { offset: -1, limit: 10 }],
  ['answer', { requestId: 'r1', decision: 'perhaps' }],
  ['start', { prompt: ' ', folder: '/p' }],
  ['reply', { sessionId: '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04', prompt: 'x', whenBusy: 'reject' }],
  ['usage', { isForPerson: true }],
] as const)('refuses an invalid input of %s', async (name, input) => {
  const { desk } = await createDeskScene();

  await expect(desk.call(name, input, phone)).rejects.toMatchObject({ reason: 'arguments_invalid' });
});

it.each([
  [
    'session',
    { sessionId: 'nonsense' },
    'The address of this page contains no valid session id. Choose a session from the list.',
  ],
  ['session', {}, 'The page sent something invalid: a value is not valid. Correct it, or reload the page.'],
  [
    'sessions',
    { search: 'x'.repeat(201), offset: 0, limit: 500 },
    'The page sent something invalid: the search text is longer than 200 characters; a value is larger than 200. Correct it, or reload the page.',
  ],
  [
    'start',
    { prompt: ' ', folder: '/p', budgetUsd: 0 },
    'The page sent something invalid: the prompt is empty; the budget is too small. Correct it, or reload the page.',
  ],
  [
    'answer',
    { requestId: 'r1', decision: 'perhaps', message: 1 },
    'The page sent something invalid: a value is not valid; the message is not valid. Correct it, or reload the page.',
  ],
] as const)('explains an invalid input of %s in its own words: %j', async (name, input, message) => {
  const { desk } = await createDeskScene();

  const error: unknown = await desk.call(name, input, phone).catch((thrown: unknown) => thrown);

  expect(error instanceof AppError && desk.explain(error).message).toBe(message);
});
