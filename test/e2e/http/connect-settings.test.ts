import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { connectServer } from '../../kit/server-client.js';
import { until } from '../../kit/until.js';

it('a client of connect is not served by a service with other restrictions than its own', async () => {
  const { sandbox, model } = await startBackstage();
  const services = (): number[] =>
    sandbox.processes().flatMap(({ pid, command }) => (/ serve /.test(command) ? [pid] : []));
  onTestFinished(async () => {
    for (const pid of services()) process.kill(pid, 'SIGTERM');
    await until('no service runs', () => services().length === 0);
  });
  const allowed = join(sandbox.root, 'allowed');
  mkdirSync(allowed);
  const open = async (era: 'modern' | 'legacy', env: Readonly<Record<string, string>>) => {
    const client = await connectServer({ sandbox, model, era, args: ['connect'], env });
    onTestFinished(() => client.close());
    return client;
  };
  const loose = await open('modern', { CLAUDE_CODE_MCP_APPROVALS: 'any' });
  expect((await loose.call('claude_code_session', { action: 'list' })).isError).toBe(false);

  const strict = open('legacy', { CLAUDE_CODE_MCP_APPROVALS: 'human', CLAUDE_CODE_MCP_ROOTS: allowed });

  const refused: unknown = await strict.catch(({ cause }: Error) => cause);
  expect(String(refused)).toMatch(/This client sets roots to \["[^"]*allowed"\], but your service, .* has /);
  expect((await loose.call('claude_code_session', { action: 'list' })).isError).toBe(false);
});
