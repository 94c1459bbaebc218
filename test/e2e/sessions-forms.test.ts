import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability } from '../kit/person.js';
import { answerOf, formOf, personThinks, retryWith, type ToolCall } from '../kit/rounds.js';
import { until } from '../kit/until.js';
import { create, read, startSessions, untilStatus } from '../kit/sessions-moves.js';

const allow = accept({ decision: 'allow' });

function made({ sandbox }: Scene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

function look(sessionId: string): ToolCall {
  return { name: 'claude_get_status', args: { sessionId } };
}

/** Waits for the request without looking: whoever looks is handed the form. */
async function ask(scene: Scene): Promise<string> {
  const { model, server } = scene;
  model.when('do it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  const { sessionId } = await create(scene, 'do it');
  await until('it is asked', async () => {
    const { json } = await server.call('claude_list_sessions');
    return JSON.stringify(json).includes('waiting_for_input');
  });
  return sessionId;
}

describe('a modern client that can show forms', () => {
  it('gets the form from claude_get_status, and the status once the person has answered', async () => {
    const scene = await startSessions({ era: 'modern', backend: 'cli', capabilities: formCapability });
    const sessionId = await ask(scene);

    const { message, state } = await formOf(scene.server, look(sessionId));
    await personThinks(scene.server);
    const answered = await answerOf(scene.server, look(sessionId), retryWith(state, allow));
    const again = await answerOf(scene.server, look(sessionId), retryWith(state, allow));
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(message).toContain('touch a.txt');
    expect(read(answered)).toMatchObject({ sessionId, status: 'running', pendingInputs: [] });
    expect(again.isError).toBe(false);
    expect(done).toMatchObject({ result: 'Done.' });
    expect(made(scene)).toBe(true);
  });
});
