import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, neverAnswer, seatPerson, settledInputs } from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';
import { until } from '../kit/until.js';

async function startTouching(
  { server, model, sandbox }: Scene,
  args: Record<string, unknown> = {},
): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }, { id: 'toolu_touch' }), text('Over.')]);
  return server.call('claude_code', {
    prompt: 'touch it',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
}

function isTouched({ sandbox }: Scene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

async function onlySession({ server }: Scene): Promise<string> {
  const { json } = await server.call('claude_code_session', { action: 'list' });
  expect(json.sessions).toHaveLength(1);
  return json.sessions?.[0]?.sessionId ?? '';
}

/** What the model is told about the touch in its newest request. */
function toldAboutTouch({ model }: Scene, sessionId: string): string | undefined {
  const last = model.requests(sessionId).at(-1);
  return last && toolResultText(last, 'toolu_touch');
}

describe.each(['modern', 'legacy'] as const)('a form that is open, %s era', (era) => {
  it('is withdrawn by the end of the server', async () => {
    const scene = await startScene({ era, capabilities: formCapability });
    const { server, model } = scene;
    const person = seatPerson(server, neverAnswer);

    const call = startTouching(scene).catch(() => 'gone');
    await person.form(0);
    server.endInput();
    const exit = await server.exited;

    expect(exit).toEqual({ code: 0, signal: null });
    expect(settledInputs(server)).toMatchObject([{ decision: 'deny', answeredBy: 'shutdown' }]);
    expect(model.requests()).toHaveLength(1);
    expect(isTouched(scene)).toBe(false);
    // A form of the modern era is the client's own: its call ends with it.
    if (era === 'legacy') expect(await call).toBe('gone');
  });
});

describe('a form that is open', () => {
  it('is withdrawn by an interrupt, and when Claude Code is killed: a late yes lets nothing run', async () => {
    const scene = await startScene({ era: 'legacy', capabilities: formCapability });
    const { server, sandbox } = scene;
    const late = [createGate(), createGate()];
    const person = seatPerson(server, async (_form, index) => {
      await late[index]?.opened;
      return accept({ decision: 'allow' });
    });

    const call = startTouching(scene);
    await person.form(0);
    const sessionId = await onlySession(scene);
    const interrupted = await server.call('claude_code_session', { action: 'interrupt', sessionId });
    late[0]?.open();
    const told = await call;
    const reply = server.call('claude_code_reply', { sessionId, prompt: 'touch it', waitMs: 20_000 });
    await person.form(1);
    const toldModel = toldAboutTouch(scene, sessionId);
    const claude = sandbox.processes().find(({ command }) => command.includes('stream-json'));
    if (claude === undefined) throw new Error('There is no Claude Code to kill');
    process.kill(claude.pid, 'SIGKILL');
    await until('the request is settled', () => settledInputs(server)[1]);
    late[1]?.open();
    const crashed = await reply;

    expect(interrupted.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    expect(told.json).toMatchObject({
      sessionId,
      status: 'idle',
      answered: [{ decision: 'deny', answeredBy: 'interrupt' }],
      result: { outcome: 'interrupted' },
    });
    expect(toldModel).toContain('The tool use was rejected');
    expect(crashed.json).toMatchObject({
      status: 'error',
      answered: [{ decision: 'none', answeredBy: 'withdrawn' }],
      result: { errorSubtype: 'crashed', turn: 2 },
    });
    expect(settledInputs(server)).toMatchObject([
      { decision: 'deny', answeredBy: 'interrupt' },
      { answeredBy: 'withdrawn' },
    ]);
    expect(person.forms).toHaveLength(2);
    expect(isTouched(scene)).toBe(false);
  });
});
