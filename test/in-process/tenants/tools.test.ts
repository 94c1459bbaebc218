import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownValue } from '../../../src/core/json.js';
import { startServiceInProcess } from '../../kit/in-process-service.js';
import { stall } from '../../kit/model-steps.js';
import { until } from '../../kit/until.js';
import { aliceWorks, secret, startTwo, unknownNames } from './scene.js';
import { beginnings, nameless, respondingTries, tries, whole } from './tries.js';

describe.each(['modern', 'legacy'] as const)('sessions of another principal, %s era', (era) => {
  it.each([
    ['five async tools', {}, tries, whole],
    ['four async tools', { CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' }, { ...tries, ...respondingTries }, whole],
    ['the beginning of each id', {}, tries, beginnings],
  ])('answer every call like sessions that do not exist: %s', async (_which, env, rows, written) => {
    const scene = await startTwo(era, env);
    const { alice, bob } = scene;
    const all = await aliceWorks(scene);
    const [hers, nobodys] = [written(all), written(unknownNames(all))];
    const { tools } = await bob.client.listTools();

    for (const { name } of tools) {
      const argsOf = rows[name];
      if (argsOf === undefined) throw new Error(`${name} has no row in the table of tries`);
      const unknown = argsOf(nobodys);
      for (const [index, args] of argsOf(hers).entries()) {
        const reached = await bob.call(name, args);
        const expected = await bob.call(name, unknown[index]);

        expect([args, nameless(reached.text, hers)]).toEqual([args, nameless(expected.text, nobodys)]);
        expect(reached.text).not.toContain(secret);
      }
    }

    const file = join(scene.rootOf('alice'), `${secret}.txt`);
    expect(existsSync(file)).toBe(false);
    const { waiting: sessionId, requestId: inputId } = all;
    await alice.call('claude_respond', { sessionId, inputId, decision: 'allow' });
    await until('her own answer counts', () => existsSync(file));
  });
});

describe('the table of attempts', () => {
  it('has a row for each tool and no other', async () => {
    const { bob } = await startTwo('modern');

    const { tools } = await bob.client.listTools();

    expect(Object.keys(tries).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('has an attempt for each action of claude_code_session', async () => {
    const { bob } = await startTwo('modern');
    const { tools } = await bob.client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'claude_code_session') ?? {};
    const actions = ownValue(inputSchema, 'properties', 'action', 'enum') as string[];

    const tried = tries['claude_code_session']?.(unknownNames(noNames)).map(({ action }) => action);

    expect(new Set(tried)).toEqual(new Set(actions));
  });
});

const noNames = {
  waiting: '',
  idle: '',
  requestId: '',
  cursor: 0,
  messageId: '',
  resumeToken: '',
  folder: '/',
};

it.each([
  ['roots', { cwd: '/' }],
  ['maxSessions', {}],
])('a principal that meets its own limit reads where the operator sets it: %s', async (key, args) => {
  const { connect, rootOf, model } = await startServiceInProcess({
    principals: { alice: { maxSessions: 1 } },
  });
  model.when('work', [stall()]);
  const alice = await connect('alice', { era: 'modern' });
  const start = { prompt: 'work', cwd: rootOf('alice'), waitMs: 0 };
  await alice.call('claude_code', start);

  const refused = await alice.call('claude_code', { ...start, ...args });

  expect(refused.text).toContain(`principals.alice.${key}`);
  expect(refused.text).not.toContain('CLAUDE_CODE_MCP_');
});
