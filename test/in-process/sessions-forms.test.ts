import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, HUMAN_NO_MS, seatPerson } from '../kit/person.js';
import { answerOf, formOf, personThinks, retryWith, type ToolCall } from '../kit/rounds.js';
import { until } from '../kit/until.js';
import { human } from '../kit/approval-moves.js';
import { create, read, startSessionsInProcess, statusOf, untilStatus } from '../kit/sessions-moves.js';

const allow = accept({ decision: 'allow' });

function made({ sandbox }: InProcessScene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

function look(sessionId: string): ToolCall {
  return { name: 'claude_get_status', args: { sessionId } };
}

/** Waits for the request without looking: whoever looks is handed the form. */
async function ask(scene: InProcessScene): Promise<string> {
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
  const start = (): Promise<InProcessScene> =>
    startSessionsInProcess({ era: 'modern', capabilities: formCapability });

  it('gets the form from claude_get_status, and the status once the person has answered', async () => {
    const scene = await start();
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

  it('gets the form from claude_send_message too, whose message is sent once', async () => {
    const scene = await start();
    const { server, model } = scene;
    const sessionId = await ask(scene);
    const call = { name: 'claude_send_message', args: { sessionId, message: 'mind the heron' } };

    const { state } = await formOf(server, call);
    await personThinks(server);
    const answered = await answerOf(server, call, retryWith(state, allow));
    await untilStatus(scene, sessionId, 'completed');

    expect(answered.json).toEqual({ sessionId, status: 'running' });
    const last = JSON.stringify(model.requests(sessionId).at(-1)?.body);
    expect(last.split('mind the heron')).toHaveLength(2);
    expect(made(scene)).toBe(true);
  });
});

describe('a modern client that can show forms', () => {
  it('may still answer what nobody has answered', async () => {
    const scene = await startSessionsInProcess({ era: 'modern', capabilities: formCapability });
    const { server } = scene;
    const sessionId = await ask(scene);

    const { state } = await formOf(server, look(sessionId));
    const open = read(await answerOf(server, look(sessionId), retryWith(state, { action: 'cancel' })));
    const [input] = open.pendingInputs;
    await server.call('claude_respond', { sessionId, inputId: input?.inputId, decision: 'allow' });
    await untilStatus(scene, sessionId, 'completed');

    expect(open).toMatchObject({ status: 'waiting_for_input', pendingInputs: [{ toolName: 'Bash' }] });
    expect(made(scene)).toBe(true);
  });

  it('does not show a form again at each look, where only the person may approve', async () => {
    const scene = await startSessionsInProcess({ era: 'modern', capabilities: formCapability, env: human });
    const { server } = scene;
    const person = seatPerson(server, () => ({ action: 'cancel' }), HUMAN_NO_MS);
    const sessionId = await ask(scene);

    const looks = [await statusOf(scene, sessionId), await statusOf(scene, sessionId)];
    const inputId = looks[1]?.pendingInputs[0]?.inputId;
    const refused = await server.call('claude_respond', { sessionId, inputId, decision: 'allow' });
    const denied = await server.call('claude_respond', { sessionId, inputId, decision: 'deny' });

    expect(person.forms).toHaveLength(1);
    expect(looks).toMatchObject([{}, { status: 'waiting_for_input', pendingInputs: [{ toolName: 'Bash' }] }]);
    expect(looks[1]?.pendingInputs[0]?.description).toMatch(
      /Only a person may approve this, in the form that their client shows\. You may deny it$/,
    );
    expect(refused.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: only a person.*when you call claude_get_status in \d+ s or later/,
    );
    expect(denied.json).toEqual({ sessionId, status: 'running' });
    expect(made(scene)).toBe(false);
  });
});
