import { expect, it } from 'vitest';
import { startBackstage } from './fixture.js';
import { hangUp, repeat, tool } from './model-steps.js';

it('answers plain requests, side calls and unknown paths without Claude Code', async () => {
  const { model } = await startBackstage();
  model.when('repeat', [repeat(tool('Bash', { command: 'ls' }))]);
  model.when('vanish', [hangUp()]);
  const ask = (prompt: string, tools: unknown[] = [{ name: 'Bash' }]) =>
    fetch(`${model.url}/v1/messages?beta=true`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', tools, messages: [{ role: 'user', content: prompt }] }),
    });

  const repeated = [await (await ask('repeat')).json(), await (await ask('repeat')).json()];
  const title = await (await ask('<session>repeat</session>', [])).json();
  const tokens = await (await fetch(`${model.url}/v1/messages/count_tokens`, { method: 'POST' })).json();
  const stranger = await fetch(`${model.url}/v1/models`);

  const call = {
    type: 'tool_use',
    name: 'Bash',
    input: { command: 'ls' },
    id: expect.stringMatching(/^toolu_/),
  };
  expect(repeated).toMatchObject([
    { content: [call], stop_reason: 'tool_use', usage: { input_tokens: 1000, output_tokens: 20 } },
    { content: [call], stop_reason: 'tool_use' },
  ]);
  expect(title).toMatchObject({ content: [{ type: 'text', text: '{"title":"Scripted session"}' }] });
  expect(tokens).toEqual({ input_tokens: 10 });
  expect([stranger.status, model.unexpected]).toEqual([404, [{ method: 'GET', path: '/v1/models' }]]);
  await expect(ask('vanish')).rejects.toThrow('fetch failed');
});
