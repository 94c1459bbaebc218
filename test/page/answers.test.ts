import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/core/observability/audit.js';
import type { InputAsk } from '../../src/core/session/inputs.js';
import { auditInto } from '../kit/audits.js';
import { plainCaller } from '../kit/callers.js';
import { plainPolicy } from '../kit/policy.js';
import { redactorOf } from '../kit/redactors.js';
import { startIn, type ManagerSceneOptions } from '../sessions/manager-scene.js';
import { createDeskScene, phone, StreamPage } from './desk-scene.js';

async function askIn(ask: Partial<InputAsk>, options: ManagerSceneOptions = {}) {
  const scene = await createDeskScene(options);
  const { session, process } = await startIn(scene);
  const answered = process.ask(ask);
  const [request] = session.view.openInputs;
  if (request === undefined) throw new Error('no request is open');
  const { requestId } = request;
  const answer = (given: object) => scene.desk.call('answer', { requestId, ...given }, phone);
  return { ...scene, session, process, answered, request, answer };
}

describe("a person's answer", () => {
  it('counts where only people may approve, and is recorded with the device before it counts', async () => {
    const entries: AuditEntry[] = [];
    const { answer, answered, session } = await askIn(
      {},
      { policy: { ...plainPolicy, approvals: 'human' }, audit: auditInto(entries) },
    );

    await answer({ decision: 'allow' });

    expect(await answered).toEqual({ decision: 'allow' });
    expect(entries.filter(({ what }) => what === 'input_settled')).toMatchObject([
      { decision: 'allow', answeredBy: 'page', device: 'Phone', clientId: 'page:d1' },
    ]);
    expect(session.view.log.read(0).events).toContainEqual(
      expect.objectContaining({ type: 'input_resolved', answeredBy: 'page', device: 'Phone' }),
    );
    expect(session.view.settled).toMatchObject([{ answeredBy: 'page', device: 'Phone' }]);
  });

  it('is refused if it cannot be recorded, and the request stays open', async () => {
    const unwritable = {
      record: () => undefined,
      recordOrThrow: ({ what }: AuditEntry) => {
        if (what === 'input_settled') throw new Error('no space left');
      },
    };
    const { answer, session, request } = await askIn({}, { audit: unwritable });

    await expect(answer({ decision: 'allow' })).rejects.toThrow('no space left');
    expect(session.view.openInputs).toEqual([request]);
    await expect(answer({ decision: 'deny' })).resolves.toMatchObject({ decision: 'deny' });
  });

  it('grants as a person, so that the grant counts where only people may approve', async () => {
    const { answer, process, session } = await askIn({}, { policy: { ...plainPolicy, approvals: 'human' } });

    await answer({ decision: 'allow_for_session' });
    const again = await process.ask({ toolUseId: 'toolu_2' });

    expect(again).toEqual({ decision: 'allow' });
    expect(session.view.grants.callsByPerson).toHaveLength(1);
  });

  it('shows with auto that a person is there, for every client of the principal', async () => {
    const page = { linkTo: (id: string) => `http://127.0.0.1:8137/#${id}` };
    const { answer, process, session, manager } = await askIn({}, { page });
    const others = [plainCaller, { ...plainCaller, login: 'ci', client: 'script 1.0' }];
    const before = others.map((one) => manager.approvals.mayApprove(one));

    await answer({ decision: 'deny' });
    void process.ask({ toolUseId: 'toolu_2' });
    const [next] = session.view.openInputs;
    const approved = next && manager.approvals.answer(session.view, next, { decision: 'allow' }, plainCaller);

    expect(before).toEqual([true, true]);
    expect(others.map((one) => manager.approvals.mayApprove(one))).toEqual([false, false]);
    await expect(approved).rejects.toMatchObject({
      reason: 'approval_needs_person',
      params: { approvals: 'auto', answerAt: `http://127.0.0.1:8137/#${next?.requestId}` },
    });
    expect(session.view.openInputs).toEqual([next]);
  });

  it('denies with words for Claude', async () => {
    const { answer, answered } = await askIn({});

    await answer({ decision: 'deny', message: 'use the test database' });

    expect(await answered).toEqual({
      decision: 'deny',
      message: 'A person denied this: use the test database',
      interrupt: false,
    });
  });

  it('edits one key, and leaves the hidden characters of the others alone', async () => {
    const { answer, answered } = await askIn({ input: { command: 'ls', description: 'List\u200b' } });

    await answer({ decision: 'allow', input: { command: 'ls -l', description: 'List\\u{200b}' } });

    expect(await answered).toEqual({
      decision: 'allow',
      updatedInput: { command: 'ls -l', description: 'List\u200b' },
    });
  });

  it('edits one key, and leaves keys with hidden characters and their values alone', async () => {
    const hidden = { 'mode\u200b': 'dry run', 'mode\\u{200b}': 'real', nested: { 'a\u200b': 'b\u200b' } };
    const { answer, answered, desk } = await askIn({
      toolName: 'mcp__db__run',
      input: { query: 'a', ...hidden },
    });
    const { cards } = await new StreamPage(desk).nextOf('inbox');

    await answer({ decision: 'allow', input: { ...cards[0]?.input, query: 'b' } });

    expect(await answered).toEqual({ decision: 'allow', updatedInput: { query: 'b', ...hidden } });
  });

  it('edits a text in which backslashes are escaped, and sends these as they were', async () => {
    const input = { code: String.raw`a \u{200b}`, note: '\\u{41}', nested: [{ code: '\\u{5c}u{200b}' }] };
    const { answer, answered, desk } = await askIn({ toolName: 'mcp__db__run', input });
    const { cards } = await new StreamPage(desk).nextOf('inbox');
    const shown = cards[0]?.input;

    await answer({
      decision: 'allow',
      input: { ...shown, code: `${String(shown?.['code'])}!`, note: '\\u{41}\\n' },
    });

    expect(shown).toEqual({
      code: String.raw`a \u{5c}u{200b}`,
      note: '\\u{41}',
      nested: [{ code: '\\u{5c}u{5c}u{200b}' }],
    });
    expect(await answered).toEqual({
      decision: 'allow',
      updatedInput: { ...input, code: String.raw`a \u{200b}!`, note: '\\u{41}\\n' },
    });
  });

  it('removes hidden characters', async () => {
    const { answer, answered } = await askIn({ input: { command: 'ls \u200b' } });

    await answer({ decision: 'allow', input: { command: 'ls' } });

    expect(await answered).toEqual({ decision: 'allow', updatedInput: { command: 'ls' } });
  });

  it('with the unchanged input is no edit', async () => {
    const { answer, answered } = await askIn({ input: { command: 'ls \u200b' } });

    await answer({ decision: 'allow', input: { command: 'ls \\u{200b}' } });

    expect(await answered).toEqual({ decision: 'allow' });
  });

  it('chooses options by what was displayed, and writes other answers', async () => {
    const { answer, answered } = await askIn({
      kind: 'user_question',
      toolName: 'AskUserQuestion',
      input: {
        questions: [
          { question: 'Which\u200b?', multiSelect: true, options: [{ label: 'A\u200b' }, { label: 'B' }] },
          { question: 'Why?', options: [{ label: 'Because' }] },
        ],
      },
    });

    await answer({
      decision: 'allow',
      answers: { 'Which\\u{200b}?': ['A\\u{200b}', 'B'], 'Why?': [' I like it '] },
    });

    expect(await answered).toMatchObject({
      decision: 'allow',
      updatedInput: { answers: { 'Which\u200b?': 'A\u200b, B', 'Why?': 'I like it' } },
    });
  });

  it('answers a question that consists of a number, which is that of another', async () => {
    const { answer, answered } = await askIn({
      kind: 'user_question',
      toolName: 'AskUserQuestion',
      input: { questions: [{ question: '1' }, { question: '0' }] },
    });

    await answer({ decision: 'allow', answers: { 1: ['first'], 0: ['second'] } });

    expect(await answered).toMatchObject({ updatedInput: { answers: { 1: 'first', 0: 'second' } } });
  });

  it('approves an edited plan with the mode that follows', async () => {
    const { answer, answered } = await askIn({
      kind: 'plan_review',
      toolName: 'ExitPlanMode',
      input: { plan: 'first', planFilePath: '/p/plan.md' },
    });

    await answer({ decision: 'allow', input: { plan: 'second' }, nextMode: 'acceptEdits' });

    expect(await answered).toEqual({
      decision: 'allow',
      updatedInput: { plan: 'second', planFilePath: '/p/plan.md' },
      nextMode: 'acceptEdits',
    });
  });
});

describe('the operator also limits a person, who', () => {
  const plan: Partial<InputAsk> = { kind: 'plan_review', toolName: 'ExitPlanMode', input: { plan: 'p' } };
  const secret = 'hunter2-hunter2-hunter2';
  const masked = { input: { command: `curl ${secret}` } };

  interface Limit {
    readonly what: string;
    readonly ask: Partial<InputAsk>;
    readonly options?: ManagerSceneOptions;
    readonly given: object;
    readonly reason: string;
  }
  const limits: readonly Limit[] = [
    {
      what: 'cannot choose a mode that runs edits without approval where only people approve',
      ask: plan,
      options: { policy: { ...plainPolicy, approvals: 'human' } },
      given: { decision: 'allow', nextMode: 'acceptEdits' },
      reason: 'mode_auto_approving',
    },
    {
      what: 'cannot choose a mode beyond the list of pre-approvable tools',
      ask: plan,
      options: { policy: { ...plainPolicy, preallow: ['Read'] } },
      given: { decision: 'allow', nextMode: 'acceptEdits' },
      reason: 'mode_auto_approving',
    },
    {
      what: 'cannot switch to bypassPermissions',
      ask: plan,
      given: { decision: 'allow', nextMode: 'bypassPermissions' },
      reason: 'next_mode_refused',
    },
    {
      what: 'cannot edit away a masked secret',
      ask: masked,
      options: { redactor: redactorOf(secret) },
      given: { decision: 'allow', input: { command: 'curl' } },
      reason: 'edit_invalid',
    },
    {
      what: 'cannot edit around hidden characters, which would become letters',
      ask: { input: { command: 'ls \u200b' } },
      given: { decision: 'allow', input: { command: 'ls -l \\u{200b}' } },
      reason: 'edit_invalid',
    },
    {
      what: 'cannot edit around them where the text also looks as if it had some',
      ask: { input: { command: 'ls \\u{200b}\u200b' } },
      given: { decision: 'allow', input: { command: 'ls -l \\u{5c}u{200b}\\u{200b}' } },
      reason: 'edit_invalid',
    },
    {
      what: 'cannot grant a masked secret for the session',
      ask: masked,
      options: { redactor: redactorOf(secret) },
      given: { decision: 'allow_for_session' },
      reason: 'grant_of_masked',
    },
    {
      what: 'cannot edit a call that must run unchanged',
      ask: { isFixed: true },
      given: { decision: 'allow', input: { command: 'ls' } },
      reason: 'answer_key_misfit',
    },
    {
      what: 'must answer a question',
      ask: { kind: 'user_question', input: { questions: [{ question: 'Why?' }] } },
      given: { decision: 'allow' },
      reason: 'answers_missing',
    },
  ];

  it.each(limits)('$what', async ({ ask, options = {}, given, reason }) => {
    const { answer, session, request } = await askIn(ask, options);

    await expect(answer(given)).rejects.toMatchObject({ reason });
    expect(session.view.openInputs).toEqual([request]);
  });

  it('cannot edit around a deny rule of the user', async () => {
    const { answer, session, request, claudeHome } = await askIn({});
    mkdirSync(claudeHome.configDir, { recursive: true });
    writeFileSync(
      join(claudeHome.configDir, 'settings.json'),
      JSON.stringify({ permissions: { deny: ['Bash(curl *)'] } }),
    );

    await expect(answer({ decision: 'allow', input: { command: 'ls' } })).rejects.toMatchObject({
      reason: 'edit_around_rule',
    });
    expect(session.view.openInputs).toEqual([request]);
  });
});

it('an answer on the page does not change what callers may approve with any', async () => {
  const { answer, manager, process, session } = await askIn(
    {},
    { policy: { ...plainPolicy, approvals: 'any' } },
  );
  await answer({ decision: 'allow' });
  const answered = process.ask({ toolUseId: 'toolu_2', input: { command: 'ls' } });
  const [request] = session.view.openInputs;
  if (request === undefined) throw new Error('no request is open');

  await manager.approvals.answer(session.view, request, { decision: 'allow' }, plainCaller);

  expect(await answered).toEqual({ decision: 'allow' });
});

it('explains a late answer in words, and names who was first', async () => {
  const { answer, desk, request } = await askIn({});
  const first = await answer({ decision: 'deny' });

  const late = await answer({ decision: 'allow' }).catch((error: unknown) => error);

  expect(desk.explain(late as Parameters<typeof desk.explain>[0])).toEqual({
    reason: 'request_settled',
    message: 'A person has already denied this on "Phone".',
    settlement: first,
  });
  expect(first.requestId).toBe(request.requestId);
});
