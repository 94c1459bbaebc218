/** What a caller learns and can do about a session that another living server has open. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold, nothing } from '../../src/state/journal/fold.js';
import { parseLine } from '../../src/state/journal/line.js';
import type { FakeClock } from '../kit/fake-clock.js';
import { createGate } from '../kit/gate.js';
import { joinInProcess, revive, startInProcess, vanish, type InProcessScene } from '../kit/in-process.js';
import { journalOf } from '../kit/journals.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { startIdle } from '../kit/start-idle.js';
import { until } from '../kit/until.js';

const modern = { era: 'modern', env: { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions' } } as const;
const runsIn = expect.stringMatching(/^another server, process \d+$/);
const openElsewhere = /^Error \[SESSION_BUSY\]: another server process \(pid \d+\) has this session open/;

function locksIn({ sandbox }: Pick<InProcessScene, 'sandbox'>): readonly string[] {
  return readdirSync(join(sandbox.stateDir, 'locks'));
}

/** Lets time pass until the call is answered. */
async function answered<T>(call: Promise<T>, clock: FakeClock): Promise<T> {
  let isAnswered = false;
  void call.finally(() => (isAnswered = true));
  await until('the call is answered', () => {
    if (!isAnswered) clock.advance(250);
    return isAnswered;
  });
  return call;
}

/** A server that works on a prompt until its gate opens, and a second one beside it. */
async function working() {
  const held = createGate();
  const first = await startInProcess(modern);
  first.model.when('work', [gate(held, text('Done.'))]);
  const { json } = await first.server.call('claude_code', { prompt: 'work', cwd: first.sandbox.project });
  await held.reached;
  const second = await joinInProcess(first, modern);
  return { first, second, held, sessionId: json.sessionId, cursor: Number(json.cursor), clock: first.clock };
}

/** The same with a request that waits for an answer. */
async function asking() {
  const first = await startInProcess(modern);
  first.model.when('work', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  const { json } = await first.server.call('claude_code', {
    prompt: 'work',
    cwd: first.sandbox.project,
    waitMs: 20_000,
  });
  const second = await joinInProcess(first, modern);
  return { first, second, sessionId: json.sessionId, requestId: json.actions?.[0]?.requestId ?? '' };
}

describe('a session that another server runs', () => {
  it('is running there for every tool that shows it', async () => {
    const { second, sessionId, held } = await working();
    const { server } = second;

    const checked = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    const got = await server.call('claude_code_session', { action: 'get', sessionId });
    const status = await server.call('claude_get_status', { sessionId });
    const listed = await server.call('claude_code_session', { action: 'list' });
    const six = await server.call('claude_list_sessions', {});
    held.open();

    for (const { json } of [checked, got, status])
      expect(json).toMatchObject({ status: 'running', runsIn, note: expect.stringContaining('that server') });
    expect(listed.json.sessions).toMatchObject([{ sessionId, status: 'running', runsIn }]);
    expect(six.json.sessions).toMatchObject([{ sessionId, isActive: true, activeStatus: 'running', runsIn }]);
  });

  it('cannot be changed from here, and every tool says where it is open', async () => {
    const { first, second, sessionId, held } = await working();
    const { server } = second;

    const answers = [
      await server.call('claude_code_session', { action: 'interrupt', sessionId }),
      await server.call('claude_code_session', { action: 'cancel', sessionId }),
      await server.call('claude_code_reply', { sessionId, prompt: 'mine' }),
      await server.call('claude_code_session', { action: 'configure', sessionId, permissionMode: 'plan' }),
      await server.call('claude_code_session', { action: 'rewind', sessionId, messageId: sessionId }),
      await server.call('claude_interrupt', { sessionId }),
      await server.call('claude_send_message', { sessionId, message: 'mine' }),
    ];
    held.open();
    await first.server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    const after = await server.call('claude_code_session', { action: 'get', sessionId });

    for (const { text: answer } of answers) expect(answer).toMatch(openElsewhere);
    expect(after.json).toMatchObject({ status: 'idle', options: { permissionMode: 'default' } });
  });

  it.each(['with', 'without'])('ends a wait here when its turn ends there, %s a cursor', async (kind) => {
    const { second, sessionId, cursor, held, clock, first } = await working();
    const waiting = second.server.call('claude_code_check', {
      sessionId,
      waitMs: 20_000,
      ...(kind === 'with' ? { cursor } : {}),
    });
    await clock.pass(1_000);
    held.open();
    await first.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    const { json } = await answered(waiting, clock);

    expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(json).not.toHaveProperty('runsIn');
  });

  it('ends a wait here when its server is killed', async () => {
    const { first, second, sessionId, clock } = await working();
    const waiting = second.server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    await clock.pass(1_000);
    vanish(first.server);

    const { json } = await answered(waiting, clock);

    expect(json).toMatchObject({ status: 'error', result: { errorSubtype: 'server_restarted' } });
  });

  it('has requests that only that server can settle', async () => {
    const { first, second, sessionId, requestId } = await asking();
    const answer = { requestId, decision: 'allow' };

    const checked = await second.server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    const open = await second.server.call('claude_code_respond', answer);
    const six = await second.server.call('claude_respond', {
      sessionId,
      inputId: requestId,
      decision: 'allow',
    });
    await first.server.call('claude_code_respond', { ...answer, waitMs: 20_000 });
    const late = await second.server.call('claude_code_respond', answer);
    const unknown = await second.server.call('claude_code_respond', { ...answer, requestId: 'nothing' });

    expect(checked.json).toMatchObject({ status: 'waiting', runsIn });
    for (const { text: refusal } of [open, six])
      expect(refusal).toMatch(
        /^Error \[SESSION_BUSY\]: request [\w-]+ is open in another server process \(pid \d+\)/,
      );
    expect(late.text).toMatch(/is already settled \(decision: allow, answered by: caller\)/);
    expect(unknown.text).toMatch(/request nothing is not open/);
  });
});

describe('a session whose process only rests in another server', () => {
  /** A session that the first server has finished, and whose process it keeps for the next reply. */
  async function resting() {
    const first = await startInProcess(modern);
    first.model.when('one', [text('One.')]);
    first.model.when('two', [text('Two.')]);
    first.model.when('three', [text('Three.')]);
    const { json } = await first.server.call('claude_code', {
      prompt: 'one',
      cwd: first.sandbox.project,
      waitMs: 20_000,
    });
    first.clock.advance(1);
    const second = await joinInProcess(first, modern);
    return { first, second, sessionId: json.sessionId };
  }

  it('continues here, and then there again', async () => {
    const { first, second, sessionId } = await resting();
    const waitMs = 20_000;

    const here = await second.server.call('claude_code_reply', { sessionId, prompt: 'two', waitMs });
    const seen = await first.server.call('claude_code_check', { sessionId });
    const listed = await first.server.call('claude_code_session', { action: 'list' });
    first.clock.advance(1);
    const there = await first.server.call('claude_code_reply', { sessionId, prompt: 'three', waitMs });

    expect(here.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
    expect(seen.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
    expect(listed.json.sessions).toMatchObject([{ sessionId, turn: 2 }]);
    expect(there.json).toMatchObject({ status: 'idle', result: { result: 'Three.', turn: 3 } });
  });

  it('can be cancelled here, and is cancelled there', async () => {
    const { first, second, sessionId } = await resting();

    const here = await second.server.call('claude_code_session', { action: 'cancel', sessionId });
    const there = await first.server.call('claude_code_reply', { sessionId, prompt: 'two' });

    expect(here.json).toMatchObject({ status: 'cancelled' });
    expect(there.text).toMatch(/^Error \[CANCELLED\]/);
  });

  it.each([
    ['its process rests there', 0],
    ['its process was closed there', 300_000],
  ])('continues there with what was changed here: %s', async (_how, ms) => {
    const { first, second, sessionId } = await resting();
    first.clock.advance(ms);
    await until('the process is closed', () => ms === 0 || locksIn(first).length === 0);

    await second.server.call('claude_code_session', {
      action: 'configure',
      sessionId,
      permissionMode: 'plan',
      model: 'claude-haiku-4-5',
    });
    const seen = await first.server.call('claude_code_session', { action: 'get', sessionId });
    await first.server.call('claude_code_reply', { sessionId, prompt: 'two', waitMs: 20_000 });

    expect(seen.json).toMatchObject({ options: { permissionMode: 'plan' } });
    expect(first.world.launches.at(-1)).toMatchObject({ permissionMode: 'plan', model: 'claude-haiku-4-5' });
    expect(journalOf(first, sessionId).fields).toMatchObject({
      turn: 2,
      options: { permissionMode: 'plan', model: 'claude-haiku-4-5' },
    });
  });

  it('stays there while a turn runs, and the refusal comes at once', async () => {
    const { first, second, sessionId } = await resting();
    const held = createGate();
    first.model.when('more', [gate(held, text('More.'))]);
    await first.server.call('claude_code_reply', { sessionId, prompt: 'more' });
    await held.reached;
    const before = first.clock.now();

    const refused = await second.server.call('claude_code_reply', { sessionId, prompt: 'two' });
    held.open();
    const { json } = await first.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(refused.text).toMatch(openElsewhere);
    expect(first.clock.now()).toBe(before);
    expect(json).toMatchObject({ status: 'idle', result: { result: 'More.' } });
  });

  it('stays there if that server does not answer within 3 s', async () => {
    const { second, sessionId, first } = await resting();
    const lock = join(first.sandbox.stateDir, 'locks', sessionId);
    const [name = ''] = readdirSync(lock);
    await first.server.close();
    // A server that is alive, but does not know about requests.
    mkdirSync(lock);
    writeFileSync(join(lock, name), '');
    revive(first.server);

    const refused = second.server.call('claude_code_reply', { sessionId, prompt: 'two' });
    await second.clock.pass(3_000);

    expect((await refused).text).toMatch(openElsewhere);
  });
});

it('a server that has read only a part of what was written about a turn knows who runs it', async () => {
  const scene = await startInProcess(modern);
  const sessionId = await startIdle(scene);
  const file = join(scene.sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => parseLine(line) ?? []);

  const records = lines.map((_line, index) => fold(nothing, lines.slice(0, index + 1)).fields);
  const running = records.filter(({ status }) => status === 'running');

  expect(running.filter(({ openTurn }) => openTurn === undefined)).not.toEqual([]);
  expect(running.filter(({ server }) => server === undefined)).toEqual([]);
});
