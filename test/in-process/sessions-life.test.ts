import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxResultChars } from '../../src/mcp/render.js';
import { carriedChars } from '../kit/view-text.js';
import type { InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { apiError, gate, say, stall, streamThenHang, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';
import {
  create,
  pending,
  read,
  startSessionsInProcess,
  statusOf,
  untilStatus,
} from '../kit/sessions-moves.js';

interface ListedJson {
  readonly sessionId: string;
  readonly isActive: boolean;
}

async function list(
  { server }: Pick<InProcessScene, 'server'>,
  args: Record<string, unknown> = {},
): Promise<readonly ListedJson[]> {
  const { json } = await server.call('claude_list_sessions', args);
  return json.sessions as unknown as readonly ListedJson[];
}

function seenByModel({ model }: InProcessScene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body);
}

describe('a session of the six tools', () => {
  it('takes a message into its turn while it runs', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
    const { server, model } = scene;
    const held = createGate();
    model.when('look around', [gate(held, tool('Bash', { command: 'ls' })), text('Looked.')]);

    const { sessionId } = await create(scene, 'look around');
    await held.reached;
    const sent = await server.call('claude_send_message', { sessionId, message: 'and under the sofa' });
    held.open();
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(sent.json).toEqual({ sessionId, status: 'running' });
    expect(done).toMatchObject({ result: 'Looked.' });
    expect(seenByModel(scene, sessionId)).toContain('under the sofa');
  });

  it('says how many messages it drops when it is interrupted before they have run', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
    const { server, model, sandbox } = scene;
    const held = createGate();
    model.when('look around', [gate(held, text('Looked.'))]);
    writeFileSync(join(sandbox.project, 'a.txt'), 'a');

    const { sessionId } = await create(scene, 'look around');
    await held.reached;
    // A message with files runs after the turn.
    for (const message of ['read it', 'and again'])
      await server.call('claude_send_message', { sessionId, message, attachments: ['a.txt'] });
    const interrupted = await server.call('claude_interrupt', { sessionId });
    held.open();
    const again = await server.call('claude_interrupt', { sessionId });

    expect(interrupted.json).toEqual({ sessionId, status: 'interrupted', droppedPrompts: 2 });
    expect(again.json).toEqual({ sessionId, status: 'interrupted' });
  });

  it('shows what is being written before it is finished', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
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

  it('is interrupted, and goes on; without a turn an interrupt changes nothing', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
    const { server, model } = scene;
    model.when('count', [streamThenHang('one two three')]);

    const { sessionId } = await create(scene, 'count');
    await until('it has said something', () => model.requests(sessionId).length > 0);
    const interrupted = await server.call('claude_interrupt', { sessionId });
    const status = await statusOf(scene, sessionId);
    const again = await server.call('claude_interrupt', { sessionId });
    await server.call('claude_send_message', { sessionId, message: 'hello' });
    const done = await untilStatus(scene, sessionId, 'completed');
    const unchanged = await server.call('claude_interrupt', { sessionId });

    expect(interrupted.json).toEqual({ sessionId, status: 'interrupted' });
    expect(status).toMatchObject({ status: 'interrupted', pendingInputs: [] });
    expect(status).not.toHaveProperty('result');
    expect(again.json).toEqual({ sessionId, status: 'interrupted' });
    expect(done).toMatchObject({ result: 'ok' });
    expect(unchanged.json).toEqual({ sessionId, status: 'completed' });
  });

  it('says what went wrong', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
    scene.model.when('fail', [apiError(401, 'authentication_error', 'invalid x-api-key')]);

    const { sessionId } = await create(scene, 'fail');
    const failed = await untilStatus(scene, sessionId, 'error');
    const idle = await scene.server.call('claude_interrupt', { sessionId });

    expect(failed.error).toMatch(/invalid x-api-key\. Ask the operator to correct this server's API key/);
    expect(failed).not.toHaveProperty('result');
    expect(read(idle)).toEqual({ sessionId, status: 'error', error: failed.error });
  });

  it('is listed with what it is doing, and asks without mixing up another that asks at the same moment', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
    const { server, model, sandbox } = scene;
    for (const name of ['one', 'two'])
      model.when(`make ${name}`, [tool('Bash', { command: `touch ${name}.txt` }), text(`Made ${name}.`)]);

    const made = await Promise.all(['one', 'two'].map((name) => create(scene, `make ${name}`)));
    const waiting = await Promise.all(
      made.map(({ sessionId }) => untilStatus(scene, sessionId, 'waiting_for_input')),
    );
    const [one, two] = waiting.map(({ sessionId, pendingInputs: [input] }) => ({
      sessionId,
      inputId: input?.inputId,
    }));
    const listed = await list(scene, { projectDirectory: sandbox.project });
    const crossed = await server.call('claude_respond', {
      sessionId: one?.sessionId,
      inputId: two?.inputId,
      decision: 'allow',
    });
    await server.call('claude_respond', { ...two, decision: 'allow' });
    await server.call('claude_respond', { ...one, decision: 'deny' });
    const done = await Promise.all(made.map(({ sessionId }) => untilStatus(scene, sessionId, 'completed')));

    expect(listed).toHaveLength(2);
    expect(listed).toEqual(
      expect.arrayContaining(
        ['one', 'two'].map((name, index) => ({
          sessionId: made[index]?.sessionId,
          projectDirectory: sandbox.project,
          displayText: `make ${name}`,
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          isActive: true,
          activeStatus: 'waiting_for_input',
        })),
      ),
    );
    expect(crossed.text).toMatch(/^Error \[INVALID_ARGUMENT\]: request .* belongs to another session/);
    expect(done.map(({ toolUseEvents }) => toolUseEvents)).toEqual([
      [{ toolName: 'Bash', status: 'denied' }],
      [{ toolName: 'Bash', status: 'completed' }],
    ]);
  });
});

describe('recent output', () => {
  it('is as many lines as were asked for, the last ones, 50 by default', async () => {
    const scene = await startSessionsInProcess({ era: 'legacy' });
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    scene.model.when('talk', [say('before', tool('Bash', { command: 'ls' })), text(lines.join('\n'))]);

    const { sessionId } = await create(scene, 'talk');
    const usual = await untilStatus(scene, sessionId, 'completed');
    const few = await statusOf(scene, sessionId, { outputLines: 2 });
    const all = await statusOf(scene, sessionId, { outputLines: 100 });

    expect(usual.recentOutput).toEqual(lines.slice(10));
    expect(few.recentOutput).toEqual(['line 58', 'line 59']);
    expect(all.recentOutput).toEqual(['before', ...lines]);
  });
});

describe('a list', () => {
  it('fits into one answer, however much there is, says what it leaves out, and goes on there', async () => {
    const { server, sandbox } = await startSessionsInProcess({ era: 'legacy' });
    const folder = join(sandbox.configDir, 'projects', '-many');
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < 120; index += 1) {
      const message = { role: 'user', content: `"quoted" \u202e${'é\n'.repeat(500)}` };
      writeFileSync(
        join(folder, `00000000-0000-4000-8000-${String(index).padStart(12, '0')}.jsonl`),
        `${JSON.stringify({ type: 'user', message, cwd: `/deep${'/folder'.repeat(100)}` })}\n`,
      );
    }

    const usual = await server.call('claude_list_sessions');
    const few = await server.call('claude_list_sessions', { limit: 2 });
    const ids = new Set<unknown>();
    for (let offset = 0; offset < 120;) {
      const { json } = await server.call('claude_list_sessions', { offset });
      const page = json.sessions ?? [];
      for (const { sessionId } of page) ids.add(sessionId);
      offset += Math.max(1, page.length);
    }

    const shown = usual.json.sessions?.length ?? 0;
    expect(carriedChars(usual.text)).toBeLessThanOrEqual(maxResultChars);
    // An entry takes less than 500 characters, so no further one fits.
    expect(carriedChars(usual.text)).toBeGreaterThan(maxResultChars - 500);
    expect(usual.text).not.toContain('\u202e');
    expect(shown).toBeGreaterThan(10);
    expect(usual.json.message).toBe(
      `${120 - shown} older sessions are not shown (continue with offset ${shown})`,
    );
    expect(few.json.sessions).toHaveLength(2);
    expect(ids.size).toBe(120);
  });
});

it('a list names a session by its prompt and folder as soon as it exists', async () => {
  const scene = await startSessionsInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_HISTORY: 'off' } });
  scene.model.when('count the birds', [stall()]);
  const { sessionId } = await create(scene, 'count the birds');

  const { json } = await scene.server.call('claude_list_sessions');

  expect(json.sessions).toMatchObject([
    {
      sessionId,
      projectDirectory: scene.sandbox.project,
      displayText: 'count the birds',
      isActive: true,
    },
  ]);
});

describe('with the toolsets async and sessions', () => {
  it('a session that was begun in one is answered and cancelled in the other', async () => {
    const scene = await startSessionsInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_TOOLSETS: 'sessions,async' },
    });
    const { server, model } = scene;
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Touched.')]);

    const { tools } = await server.client.listTools();
    const { sessionId } = await create(scene, 'touch');
    const { inputId: requestId } = await pending(scene, sessionId);
    const answered = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const cancelled = await server.call('claude_code_session', { action: 'cancel', sessionId });
    const status = await statusOf(scene, sessionId);
    const sent = await server.call('claude_send_message', { sessionId, message: 'hello' });

    expect(tools).toHaveLength(11);
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Touched.' } });
    expect(cancelled.json).toMatchObject({ status: 'cancelled' });
    expect(status).toMatchObject({ status: 'interrupted' });
    expect(sent.text).toMatch(/^Error \[CANCELLED\].*claude_create_session/);
  });
});
