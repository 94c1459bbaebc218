import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { connectServer, type Era, type ServerClient } from '../../kit/server-client.js';
import { startService } from '../../kit/service.js';
import { until } from '../../kit/until.js';

const eras = ['modern', 'legacy'] as const;

interface Place {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly token: string | undefined;
}

/** A client on stdin and stdout, connected to the service. */
async function throughBridge(era: Era, { sandbox, url, token = '' }: Place): Promise<ServerClient> {
  const client = await connectServer({
    sandbox,
    era,
    args: ['connect', url],
    env: { CLAUDE_CODE_MCP_TOKEN: token },
  });
  onTestFinished(() => client.close());
  return client;
}

describe('connect without an address', () => {
  it('starts one service for all clients, and another one when that has ended', async () => {
    const { sandbox } = await startBackstage();
    const services = (): number[] =>
      sandbox.processes().flatMap(({ pid, command }) => (/ serve /.test(command) ? [pid] : []));
    const endServices = async (): Promise<void> => {
      for (const pid of services()) process.kill(pid, 'SIGTERM');
      await until('no service runs', () => services().length === 0);
    };
    onTestFinished(endServices);
    const open = async (era: Era): Promise<ServerClient> => {
      const client = await connectServer({ sandbox, era, args: ['connect'] });
      onTestFinished(() => client.close());
      return client;
    };

    const clients = await Promise.all([open('modern'), open('legacy')]);
    const first = services();
    await endServices();
    const answers = await Promise.all(
      clients.map((client) => client.call('claude_code_session', { action: 'list' })),
    );

    expect(first).toHaveLength(1);
    expect(answers.map(({ isError }) => isError)).toEqual([false, false]);
    expect(services()).toHaveLength(1);
    expect(services()).not.toEqual(first);
  });
});

it('a service with --idle-exit ends when no client has used it', async () => {
  const { sandbox } = await startBackstage();

  const { exited } = await startService({ sandbox, args: ['--idle-exit', '0.01'] });

  expect(await exited).toBe(0);
  expect(existsSync(join(sandbox.stateDir, 'service.json'))).toBe(false);
});

describe.each(eras)('connect, in the %s era', (era) => {
  it('lets a client that returns find its session, its events and its open request', async () => {
    const { model, sandbox } = await startBackstage();
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const env = { CLAUDE_CODE_MCP_APPROVALS: 'any' };
    const { url, token } = await startService({ sandbox, model, env });
    const first = await throughBridge(era, { sandbox, url, token });
    const started = await first.call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs: 0 });
    const { sessionId } = started.json;
    first.call('claude_code_check', { sessionId, waitMs: 20_000 }).catch(() => undefined);
    await first.close();

    const second = await throughBridge(era, { sandbox, url, token });
    const found = await second.call('claude_code_check', { sessionId, waitMs: 20_000, include: ['events'] });
    const requestId = found.json.actions?.[0]?.requestId;
    const answered = await second.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(found.json).toMatchObject({
      sessionId,
      status: 'waiting',
      actions: [{ type: 'permission' }],
      events: expect.arrayContaining([expect.objectContaining({ type: 'input_request' })]) as unknown[],
    });
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect([...first.strayLines(), ...second.strayLines()]).toEqual([]);
  });
});
