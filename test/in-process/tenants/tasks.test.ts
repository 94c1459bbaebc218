import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { InProcessClient } from '../../kit/in-process-service.js';
import { until } from '../../kit/until.js';
import { aliceWorks, secret, startTwo } from './scene.js';

const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: { form: {} } };
const allow = { action: 'accept', content: { decision: 'allow' } };

/** The answer, or the error, as text. */
function request({ client }: InProcessClient, method: string, params: object): Promise<string> {
  return client
    .request({ method, params: { ...params } }, z.looseObject({}))
    .then(JSON.stringify, (error: unknown) => String(error));
}

describe('tasks of another principal', () => {
  it('answer every request like tasks that do not exist', async () => {
    const scene = await startTwo('modern');
    const { waiting: taskId, idle, requestId } = await aliceWorks(scene);
    const options = { era: 'modern', capabilities } as const;
    const [alice, bob] = [await scene.connect('alice', options), await scene.connect('bob', options)];
    const file = join(scene.rootOf('alice'), `${secret}.txt`);
    const inputResponses = { [requestId]: allow };
    const unknown = randomUUID();
    // Shows the form, so that an answer to it would count.
    const own = await request(alice, 'tasks/get', { taskId });
    await alice.takesTime(5_000);

    for (const [method, more] of [
      ['tasks/get', {}],
      ['tasks/update', { inputResponses }],
      ['tasks/cancel', {}],
    ] as const)
      for (const id of [taskId, idle]) {
        const reached = await request(bob, method, { taskId: id, ...more });
        const expected = await request(bob, method, { taskId: unknown, ...more });

        expect(reached.replaceAll(id, '<id>')).toBe(expected.replaceAll(unknown, '<id>'));
      }

    expect(own).toContain('"input_required"');
    expect(existsSync(file)).toBe(false);
    await request(alice, 'tasks/update', { taskId, inputResponses });
    await until('her own answer counts', () => existsSync(file));
  });
});

it('a token that may not answer cannot use up the form of one that may', async () => {
  const scene = await startTwo('modern');
  const { waiting: taskId, requestId } = await aliceWorks(scene);
  const options = { era: 'modern', capabilities } as const;
  const person = await scene.connect('alice', options);
  const script = await scene.connect('alice', { ...options, scopes: ['call'] });
  const file = join(scene.rootOf('alice'), `${secret}.txt`);
  const inputResponses = { [requestId]: allow };
  await request(person, 'tasks/get', { taskId });
  await person.takesTime(5_000);

  const refused = await request(script, 'tasks/update', { taskId, inputResponses });
  const isMade = existsSync(file);
  await request(person, 'tasks/update', { taskId, inputResponses });

  expect([refused, isMade]).toEqual([expect.stringContaining('approve'), false]);
  await until('the answer of the person counts', () => existsSync(file));
});

it('a client that was not shown a form cannot use it up, and gets one of its own', async () => {
  const scene = await startTwo('modern');
  const { waiting: taskId, requestId } = await aliceWorks(scene);
  const options = { era: 'modern', capabilities } as const;
  const [person, other] = [await scene.connect('alice', options), await scene.connect('alice', options)];
  const file = join(scene.rootOf('alice'), `${secret}.txt`);
  const inputResponses = { [requestId]: allow };
  await request(person, 'tasks/get', { taskId });
  await person.takesTime(5_000);

  await request(other, 'tasks/update', { taskId, inputResponses });
  const isMade = existsSync(file);
  const shown = await request(other, 'tasks/get', { taskId });
  await request(person, 'tasks/update', { taskId, inputResponses });

  expect([isMade, shown]).toEqual([false, expect.stringContaining('"elicitation/create"')]);
  await until('the answer of the person counts', () => existsSync(file));
});
