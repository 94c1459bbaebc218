/** Sessions as tasks, for clients that declare the extension. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { human } from '../kit/approval-moves.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

const extensions = { 'io.modelcontextprotocol/tasks': {} };
const anything = z.looseObject({});

function request(
  { server }: Pick<InProcessScene, 'server'>,
  method: string,
  params: Record<string, unknown>,
) {
  return server.client.request({ method, params }, anything);
}

/** The client of the SDK refuses a task as a result, so this reads what the server sent. */
async function start(scene: InProcessScene, prompt: string): Promise<Record<string, unknown>> {
  const args = { prompt, cwd: scene.sandbox.project };
  await request(scene, 'tools/call', { name: 'claude_code', arguments: args }).catch(() => undefined);
  const sent = scene.server.stdout().trim().split('\n');
  const answers = sent.map((line) => z.looseObject({ result: anything.optional() }).parse(JSON.parse(line)));
  return answers.findLast(({ result }) => result !== undefined)?.result ?? {};
}

describe('a session as a task', () => {
  it('is created, completes and has the result of the call', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: { extensions } });
    scene.model.when('say it', [text('It is said.')]);

    const created = await start(scene, 'say it');
    const taskId = String(created['taskId']);
    let task = created;
    await until('the task is complete', async () => {
      task = await request(scene, 'tasks/get', { taskId });
      return task['status'] === 'completed';
    });

    expect(created).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: null,
      pollIntervalMs: 2_000,
    });
    expect(task).toMatchObject({ taskId, result: { resultType: 'complete' } });
    expect(JSON.stringify(task['result'])).toContain('It is said.');
  });

  it('asks the person through its forms, and one answer settles the request', async () => {
    const scene = await startInProcess({
      era: 'modern',
      capabilities: { extensions, elicitation: { form: {} } },
    });
    scene.model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const { taskId } = await start(scene, 'touch it');
    let task: Record<string, unknown> = {};
    const follow = (status: string) =>
      until(`the task is ${status}`, async () => {
        task = await request(scene, 'tasks/get', { taskId });
        return task['status'] === status;
      });

    await follow('input_required');
    const first = task['inputRequests'];
    await follow('input_required');
    const second = task['inputRequests'];
    const [requestId = ''] = Object.keys(first as object);
    await scene.server.takesTime(5_000);
    const inputResponses = { [requestId]: { action: 'accept', content: { decision: 'allow' } } };
    await request(scene, 'tasks/update', { taskId, inputResponses });
    await follow('completed');

    expect(second).toEqual(first);
    expect(JSON.stringify(first)).toContain('touch a.txt');
    expect(JSON.stringify(task['result'])).toContain('Done.');
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(true);
  });

  it('asks the person again a minute after the form was dismissed, where only people approve', async () => {
    const scene = await startInProcess({
      era: 'modern',
      env: human,
      capabilities: { extensions, elicitation: { form: {} } },
    });
    scene.model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const { taskId } = await start(scene, 'touch it');
    const formsOf = async (): Promise<string[]> =>
      Object.keys((await request(scene, 'tasks/get', { taskId }))['inputRequests'] ?? {});
    const [requestId = ''] = await until('the form is shown', async () => {
      const ids = await formsOf();
      return ids.length > 0 && ids;
    });
    const reply = async (action: object): Promise<unknown> => {
      await scene.server.takesTime(5_000);
      return request(scene, 'tasks/update', { taskId, inputResponses: { [requestId]: action } });
    };

    await reply({ action: 'cancel' });
    const atOnce = await formsOf();
    await scene.server.takesTime(60_000);
    const later = await formsOf();
    await reply({ action: 'accept', content: { decision: 'allow' } });

    expect([atOnce, later]).toEqual([[], [requestId]]);
    await until('the answer counts', () => existsSync(join(scene.sandbox.project, 'a.txt')));
  });

  it('is cancelled with the session', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: { extensions } });
    scene.model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const { taskId } = await start(scene, 'touch it');

    await request(scene, 'tasks/cancel', { taskId });

    expect(await request(scene, 'tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'is not found by %s with an unknown id',
    async (method) => {
      const scene = await startInProcess({ era: 'modern', capabilities: { extensions } });

      await expect(
        request(scene, method, { taskId: '00000000-0000-4000-8000-000000000009' }),
      ).rejects.toThrow('SESSION_NOT_FOUND');
    },
  );
});

it('a client without the extension gets the answer of the call', async () => {
  const scene = await startInProcess({ era: 'modern' });

  expect(await start(scene, 'say it')).not.toHaveProperty('taskId');
});
