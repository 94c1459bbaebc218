import { describe, expect, it } from 'vitest';
import type { Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, streamThenHang, text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { hasTerminal, startTerminalSession } from '../kit/terminal-session.js';
import { until } from '../kit/until.js';
import { create, read, startSessions, statusOf, untilStatus } from '../kit/sessions-moves.js';

interface ListedJson {
  readonly sessionId: string;
  readonly isActive: boolean;
}

async function list(
  { server }: Pick<Scene, 'server'>,
  args: Record<string, unknown> = {},
): Promise<readonly ListedJson[]> {
  const { json } = await server.call('claude_list_sessions', args);
  return json.sessions as unknown as readonly ListedJson[];
}

function seenByModel({ model }: Scene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body);
}

// What a backend must do for these is in the contract suite, on both: here each runs on one of them.
describe('a session of the six tools', () => {
  it('is resumed by a message to another server, with the options it began with', async () => {
    const env = { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '0' };
    const scene = await startSessions({ era: 'modern', backend: 'cli', env });
    const { server, model, sandbox } = scene;
    const options = { systemPrompt: 'Speak like a heron.', disallowedTools: ['WebFetch'], maxTurns: 7 };

    const { sessionId } = await create(scene, 'remember the word heron', options);
    await untilStatus(scene, sessionId, 'completed');
    await server.close();
    const second = await connectServer({
      sandbox,
      model,
      era: 'modern',
      env: { ...env, CLAUDE_CODE_MCP_TOOLSETS: 'sessions', CLAUDE_CODE_MCP_BACKEND: 'cli' },
    });
    const resumed = await second.call('claude_send_message', { sessionId, message: 'and once more?' });
    const done = await untilStatus({ ...scene, server: second }, sessionId, 'completed');
    await second.close();

    expect(resumed.json).toEqual({ sessionId, status: 'running' });
    expect(done).toMatchObject({ result: 'ok', turnCount: 2 });
    for (const { body } of model.requests(sessionId)) {
      expect(JSON.stringify(body)).toContain('Speak like a heron.');
      expect(JSON.stringify(body)).toContain('You are');
      expect(JSON.stringify(body)).not.toContain('"WebFetch"');
    }
    expect(seenByModel(scene, sessionId)).toContain('remember the word heron');
  });

  it('shows what is being written before it is finished', async () => {
    const scene = await startSessions({ era: 'modern', backend: 'cli' });
    scene.model.when('count', [streamThenHang('one\ntwo\nthree four five')]);

    const { sessionId } = await create(scene, 'count');
    const { recentOutput } = await until('it has written some lines', async () => {
      const now = await statusOf(scene, sessionId);
      return now.recentOutput.length >= 2 && now;
    });
    await scene.server.call('claude_interrupt', { sessionId });
    const over = await statusOf(scene, sessionId);

    expect(recentOutput.slice(0, 2)).toEqual(['one', 'two']);
    expect(over.recentOutput).toEqual(['one', 'two', 'three four five']);
  });

  it('is interrupted, goes on, and takes a message into its turn; without a turn an interrupt changes nothing', async () => {
    const scene = await startSessions({ era: 'modern', backend: 'agent-sdk' });
    const { server, model } = scene;
    model.when('count', [streamThenHang('one two three')]);
    // If this comes too late for the turn, it must not be over before the interrupt.
    model.when('and back', [streamThenHang('three two one')]);
    const held = createGate();
    model.when('look around', [gate(held, tool('Bash', { command: 'ls' })), text('Looked.')]);

    const { sessionId } = await create(scene, 'count');
    await until('it has said something', () => model.requests(sessionId).length > 0);
    const interrupted = await server.call('claude_interrupt', { sessionId });
    const status = await statusOf(scene, sessionId);
    const again = await server.call('claude_interrupt', { sessionId });
    await server.call('claude_send_message', { sessionId, message: 'look around' });
    await held.reached;
    const sent = await server.call('claude_send_message', { sessionId, message: 'and under the sofa' });
    held.open();
    const done = await untilStatus(scene, sessionId, 'completed');
    const unchanged = await server.call('claude_interrupt', { sessionId });
    await server.call('claude_send_message', { sessionId, message: 'count again' });
    await model.request(({ promptText }) => promptText.includes('count again'));
    await server.call('claude_send_message', { sessionId, message: 'and back' });
    const withMessage = await server.call('claude_interrupt', { sessionId });

    expect(withMessage.json).toEqual({ sessionId, status: 'interrupted' });
    expect(interrupted.json).toEqual({ sessionId, status: 'interrupted' });
    expect(status).toMatchObject({ status: 'interrupted', pendingInputs: [] });
    expect(status).not.toHaveProperty('result');
    expect(again.json).toEqual({ sessionId, status: 'interrupted' });
    expect(sent.json).toEqual({ sessionId, status: 'running' });
    expect(done).toMatchObject({ result: 'Looked.' });
    expect(seenByModel(scene, sessionId)).toContain('under the sofa');
    expect(unchanged.json).toEqual({ sessionId, status: 'completed' });
  });
});

describe('a session that two servers take turns with', () => {
  it('is told by each as the other has left it', async () => {
    const env = { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '0' };
    const one = await startSessions({ era: 'modern', env });
    const { model, sandbox } = one;
    const server = await connectServer({
      sandbox,
      model,
      era: 'modern',
      env: { ...env, CLAUDE_CODE_MCP_TOOLSETS: 'sessions' },
    });
    const two = { ...one, server };
    const held = createGate();
    model.when('wait', [gate(held, text('Waited.'))]);
    const send = (scene: Pick<Scene, 'server'>, message: string) =>
      until('the other has let go of it', async () => {
        const sent = await scene.server.call('claude_send_message', { sessionId, message });
        return sent.isError ? undefined : sent;
      });

    const { sessionId } = await create(one, 'wait');
    await held.reached;
    // Known to the second server from here on, as it is now.
    const early = await statusOf(two, sessionId);
    const interrupted = await server.call('claude_interrupt', { sessionId });
    held.open();
    await untilStatus(one, sessionId, 'completed');
    const late = await untilStatus(two, sessionId, 'completed');
    await send(two, 'second turn');
    await untilStatus(two, sessionId, 'completed');
    await send(one, 'third turn');
    const last = await until('it has answered', async () => {
      const now = await statusOf(one, sessionId);
      return now.status === 'completed' && now.recentOutput.length === 3 && now;
    });
    await server.close();

    expect(early).not.toHaveProperty('turnCount');
    expect(interrupted.text).toMatch(
      /^Error \[SESSION_BUSY\]: another server process \(pid \d+\) has this session open/,
    );
    expect(late).toMatchObject({ turnCount: 1, costUsd: expect.any(Number) });
    expect(last).toMatchObject({ recentOutput: ['Waited.', 'ok', 'ok'], turnCount: 3 });
  });
});

describe.skipIf(!hasTerminal)('a session of a person in the terminal', () => {
  it('is listed, refused with an offer to fork while it is open, and resumed afterwards', async () => {
    const scene = await startSessions({ era: 'modern' });
    const { server } = scene;
    const terminal = await startTerminalSession(scene, 'remember the word heron');
    const { sessionId } = terminal;
    const message = { sessionId, message: 'which word?' };

    const whileOpen = await list(scene);
    const refused = await server.call('claude_send_message', message);
    const forked = await server.call('claude_send_message', { ...message, forkSession: true });
    await untilStatus(scene, read(forked).sessionId, 'completed');
    await terminal.exit();
    const resumed = await server.call('claude_send_message', message);
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(whileOpen).toEqual([
      {
        sessionId,
        projectDirectory: scene.sandbox.project,
        displayText: 'remember the word heron',
        timestamp: expect.any(String),
        isActive: false,
      },
    ]);
    expect(refused.text).toMatch(
      new RegExp(
        `^Error \\[SESSION_BUSY\\]: another Claude Code process \\(pid ${terminal.pid}\\).*forkSession: true`,
      ),
    );
    expect(read(forked).sessionId).not.toBe(sessionId);
    expect(seenByModel(scene, read(forked).sessionId)).toContain('heron');
    expect(resumed.json).toEqual({ sessionId, status: 'running' });
    expect(done).toMatchObject({ result: 'ok' });
    expect(seenByModel(scene, sessionId)).toContain('heron');
  });
});
