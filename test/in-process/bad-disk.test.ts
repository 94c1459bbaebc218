/** What a caller may rely on while nothing can be written, and after the disk works again. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { any, ask, exists, human, touch } from '../kit/approval-moves.js';
import { createGate } from '../kit/gate.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { journalOf } from '../kit/journals.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { dbQuestion } from '../kit/questions.js';
import { startIdle } from '../kit/start-idle.js';
import { until } from '../kit/until.js';

/** A file takes the place of a folder, by default that for sessions, so every write fails. */
function breakDisk({ sandbox }: InProcessScene, name = 'sessions'): () => void {
  const folder = join(sandbox.stateDir, name);
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  return () => {
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
  };
}

const notSaved = expect.stringContaining('ENOTDIR');

describe('while nothing can be saved', () => {
  it('a turn without a budget runs, the snapshot says so, and a repaired disk gets everything', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { server, model } = scene;
    const sessionId = await startIdle(scene);
    model.when('more', [text('Two.')]);
    model.when('last', [text('Three.')]);
    const repair = breakDisk(scene);

    const broken = await server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });
    repair();
    const missed = journalOf(scene, sessionId);
    const repaired = await server.call('claude_code_reply', { sessionId, prompt: 'last', waitMs: 20_000 });
    await server.close();
    const { fields, spent } = journalOf(scene, sessionId);

    expect(broken.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 }, notSaved });
    expect(missed.fields).toMatchObject({ turn: 1 });
    expect(repaired.json).toMatchObject({ status: 'idle', result: { result: 'Three.', turn: 3 } });
    expect(repaired.json).not.toHaveProperty('notSaved');
    expect(fields).toMatchObject({ status: 'idle', turn: 3, totals: { turns: 3, costUsd: 0.0132 } });
    expect(fields).not.toHaveProperty('openTurn');
    expect(spent.map(({ costUsd }) => costUsd)).toEqual([0.0044, 0.0044, 0.0044]);
    expect(server.stderr()).toContain('a session could not be saved');
  });

  it('a turn with a budget and a cancellation are refused', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { server } = scene;
    const sessionId = await startIdle(scene, { maxBudgetUsd: 1 });
    const requests = scene.model.requests().length;
    const repair = breakDisk(scene);

    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });
    const cancel = await server.call('claude_code_session', { action: 'cancel', sessionId });
    repair();
    const again = await server.call('claude_code_session', { action: 'cancel', sessionId });

    const refusal =
      /^Error \[UNAVAILABLE\]: this change could not be saved, so it was not confirmed \(ENOTDIR/;
    expect(reply.text).toMatch(refusal);
    expect(scene.model.requests()).toHaveLength(requests);
    expect(cancel.text).toMatch(refusal);
    expect(again.json).toMatchObject({ status: 'cancelled' });
    expect(journalOf(scene, sessionId).fields).toMatchObject({ status: 'cancelled' });
  });
});

it.each(['codex', 'claude_code_query'])(
  'the answer of %s says that its session is not saved',
  async (name) => {
    const env = { CLAUDE_CODE_MCP_TOOLSETS: 'async,codex,query' };
    const scene = await startInProcess({ era: 'modern', env });
    await startIdle(scene);
    const repair = breakDisk(scene);

    const args = { prompt: 'work', cwd: scene.sandbox.project };
    const answer = await scene.server.client.callTool({ name, arguments: args });
    repair();

    expect(JSON.stringify(answer)).toMatch(/notSaved\W+ENOTDIR/);
  },
);

it('a start that was refused because nothing can be saved leaves no session, even after the disk works again', async () => {
  const scene = await startInProcess({ era: 'modern' });
  const { server, sandbox } = scene;
  const sessionId = await startIdle(scene);
  const repairs = ['sessions', 'locks'].map((name) => breakDisk(scene, name));

  const { text: refusal } = await server.call('claude_code', { prompt: 'more', cwd: sandbox.project });
  for (const repair of repairs) repair();
  await server.call('claude_code_reply', { sessionId, prompt: 'last', waitMs: 20_000 });
  const listed = await server.call('claude_code_session', { action: 'list' });

  expect(refusal).toMatch(/^Error \[UNAVAILABLE\]: the session could not be locked/);
  expect(listed.json.sessions).toMatchObject([{ sessionId }]);
});

describe('while the disk fails during a turn', () => {
  /** A turn that is on record and goes on until the gate opens. */
  async function breakDuringTurn() {
    const env = { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions' };
    const scene = await startInProcess({ era: 'modern', env });
    const held = createGate();
    scene.model.when('work', [gate(held, text('Done.'))]);
    const { json } = await scene.server.call('claude_code', { prompt: 'work', cwd: scene.sandbox.project });
    await held.reached;
    return { scene, held, sessionId: json.sessionId, repair: breakDisk(scene) };
  }

  it('the answer that brings its result says that the result is not saved', async () => {
    const { scene, held, sessionId } = await breakDuringTurn();
    const waiting = scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    held.open();

    const { json } = await waiting;

    expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.' }, notSaved });
  });

  it.each([
    ['a prompt is queued', 'claude_code_reply', { prompt: 'next', whenBusy: 'queue' }],
    ['the mode changes', 'claude_code_session', { action: 'configure', permissionMode: 'plan' }],
    ['the turn is interrupted', 'claude_code_session', { action: 'interrupt' }],
    ['the turn is interrupted with the six tools', 'claude_interrupt', {}],
  ])('the answer says that nothing is saved when %s', async (_what, name, args) => {
    const { scene, held, sessionId } = await breakDuringTurn();

    const { json } = await scene.server.call(name, { sessionId, ...args });
    held.open();

    expect(json).toMatchObject({ notSaved });
  });

  it('a fork is refused, because nobody could count what it spends', async () => {
    const { scene, held, sessionId } = await breakDuringTurn();

    const { text: refusal } = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'next',
      forkSession: true,
    });
    held.open();

    expect(refusal).toMatch(
      /^Error \[UNAVAILABLE\]: this change could not be saved, so it was not confirmed/,
    );
  });
});

describe('where only people approve and nothing can be saved', () => {
  it('an answer of the caller is refused until the disk works again', async () => {
    const scene = await startInProcess({ era: 'modern', env: human });
    const { server } = scene;
    const sessionId = await startIdle(scene);
    scene.model.when('ask', [tool('AskUserQuestion', { questions: [dbQuestion] }), text('chosen')]);
    const repair = breakDisk(scene);
    const asked = await server.call('claude_code_reply', { sessionId, prompt: 'ask', waitMs: 20_000 });
    const requestId = asked.json.actions?.[0]?.requestId;
    const answer = { requestId, decision: 'allow', answers: { 'Which DB?': 'Postgres' }, waitMs: 20_000 };

    const refused = await server.call('claude_code_respond', answer);
    repair();
    // The first ones are still refused for the earlier failure, and start another write.
    let answered = refused;
    await until('the answer is accepted', async () => {
      answered = await server.call('claude_code_respond', answer);
      return answered.isError ? undefined : true;
    });

    expect(refused.text).toMatch(/^Error \[UNAVAILABLE\]: this change could not be saved/);
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'chosen' } });
  });

  it('a denial is accepted', async () => {
    const scene = await startInProcess({ era: 'modern', env: human });
    const { server } = scene;
    const sessionId = await startIdle(scene);
    scene.model.when('ask', [tool('Bash', touch), text('left alone')]);
    const repair = breakDisk(scene);
    const asked = await server.call('claude_code_reply', { sessionId, prompt: 'ask', waitMs: 20_000 });

    const denied = await server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'deny',
      waitMs: 20_000,
    });
    repair();

    expect(denied.json).toMatchObject({ status: 'idle', result: { result: 'left alone' } });
  });

  it('the form of a person approves nothing', async () => {
    const scene = await startInProcess({ era: 'legacy', env: human, capabilities: formCapability });
    const { server } = scene;
    const sessionId = await startIdle(scene);
    scene.model.when('ask', [tool('Bash', touch), text('touched')]);
    seatPerson(server, () => accept({ decision: 'allow' }));
    const repair = breakDisk(scene);

    await server.call('claude_code_reply', { sessionId, prompt: 'ask' });
    await until(
      'the form is refused',
      () => server.stderr().includes('a form answer was rejected') || undefined,
    );
    repair();

    expect(server.stderr()).toContain('this change could not be saved, so it was not confirmed');
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

it('where callers approve, an approval passes although nothing can be saved', async () => {
  const scene = await startInProcess({ era: 'modern', env: any });
  await startIdle(scene);
  const repair = breakDisk(scene);
  const { requestId } = await ask(scene);

  const allowed = await scene.server.call('claude_code_respond', {
    requestId,
    decision: 'allow',
    waitMs: 20_000,
  });
  repair();

  expect(allowed.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
});
