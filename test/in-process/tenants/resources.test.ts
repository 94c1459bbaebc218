import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InProcessClient } from '../../kit/in-process-service.js';
import { until } from '../../kit/until.js';
import { aliceWorks, secret, startTwo } from './scene.js';

describe.each(['modern', 'legacy'] as const)('resources of another principal, %s era', (era) => {
  it('are in no list and in no page', async () => {
    const scene = await startTwo(era);
    const { waiting, idle } = await aliceWorks(scene);

    const [hers, his] = await Promise.all([scene.alice, scene.bob].map(readAll));

    for (const word of [waiting, idle, secret, scene.rootOf('alice')]) {
      expect(hers).toContain(word);
      expect(his).not.toContain(word);
    }
    expect(hers).toContain('0.0044');
    expect(his).not.toContain('0.0044');
  });

  it('answer like resources that do not exist, in every template', async () => {
    const scene = await startTwo(era);
    const { waiting } = await aliceWorks(scene);
    const unknown = randomUUID();
    const { resourceTemplates } = await scene.bob.client.listResourceTemplates();

    for (const { uriTemplate } of resourceTemplates) {
      const uriOf = (id: string): string => uriTemplate.replace('{id}', id).replace(/\{\?\w+\}$/, '');
      const [own, reached, expected] = [
        await read(scene.alice, uriOf(waiting)),
        await read(scene.bob, uriOf(waiting)),
        await read(scene.bob, uriOf(unknown)),
      ];

      expect(reached.replaceAll(waiting, '<id>')).toBe(expected.replaceAll(unknown, '<id>'));
      expect(reached).not.toBe(own);
    }
    expect(resourceTemplates.length).toBeGreaterThan(3);
  });

  it('complete nothing, in any template or prompt', async () => {
    const scene = await startTwo(era);
    const { waiting, idle } = await aliceWorks(scene);

    const [hers, his] = await Promise.all([scene.alice, scene.bob].map(completeAll));

    expect(new Set(hers)).toEqual(new Set([waiting, idle, scene.rootOf('alice')]));
    expect(his).toEqual([]);
  });

  it('announce nothing', async () => {
    const scene = await startTwo(era);
    const { waiting, requestId } = await aliceWorks(scene);
    const uri = `claude-code://sessions/${waiting}`;
    const [hers, his] = [await listen(scene.alice, uri, era), await listen(scene.bob, uri, era)];

    await scene.alice.call('claude_code_respond', { requestId, decision: 'deny' });
    // The session was announced a moment ago.
    await scene.alice.takesTime(500);
    await until('she hears of the change', () => hers.length > 0);

    expect(his).toEqual([]);
  });
});

async function readAll({ client }: InProcessClient): Promise<string> {
  const { resources } = await client.listResources();
  const contents = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })));
  return JSON.stringify([resources, contents]);
}

function read({ client }: InProcessClient, uri: string): Promise<string> {
  return client.readResource({ uri }).then(JSON.stringify, (error: unknown) => String(error));
}

/** Everything that is offered for an empty value. */
async function completeAll({ client }: InProcessClient): Promise<string[]> {
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  const places = [
    ...resourceTemplates.flatMap(({ uriTemplate }) =>
      [...uriTemplate.matchAll(/\w+(?=\})/g)].map(([name]) => ({
        ref: { type: 'ref/resource' as const, uri: uriTemplate },
        name,
      })),
    ),
    ...prompts.flatMap((prompt) =>
      (prompt.arguments ?? []).map(({ name }) => ({
        ref: { type: 'ref/prompt' as const, name: prompt.name },
        name,
      })),
    ),
  ];
  const found = await Promise.all(
    places.map(({ ref, name }) => client.complete({ ref, argument: { name, value: '' } })),
  );
  return found.flatMap(({ completion }) => completion.values);
}

async function listen({ client }: InProcessClient, uri: string, era: string): Promise<string[]> {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  if (era === 'legacy') await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: [uri] });
  return heard;
}
