import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { connectHttp, startService } from '../../kit/service.js';

/** Reading each value took minutes. */
function tooLate(): Promise<string> {
  return pause(15_000, 'too late', { ref: false });
}

const size = 4_000_000;
const commas = ','.repeat(size);
const list = `[${'{},'.repeat(size / 3 - 1)}{}]`;

/** Each text is short, and has more entries than a list may have. */
const agent = { description: 'd', prompt: 'p', tools: ','.repeat(20_000) };
const agents = Object.fromEntries(Array.from({ length: 195 }, (_, index) => [`k${index}`, agent]));

it.each([
  ['many lists as text', { advanced: { agents } }],
  ['a list as text', { allowedTools: commas }],
  ['a list', { allowedTools: JSON.parse(list) as unknown }],
])('one large call with %s is refused before its values are read', async (_what, options) => {
  const { sandbox, model } = await startBackstage();
  const service = await startService({ sandbox, model });
  const client = await connectHttp(service.url, { era: 'modern', token: service.token });
  const args = { prompt: 'hello', cwd: sandbox.project, ...options };

  const sent = client.call('claude_code', args).catch(() => undefined);
  const answer = await Promise.race([sent, tooLate()]);
  service.kill('SIGKILL');
  await sent;

  expect(answer).not.toBe('too late');
});
