import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { connectServer, type Era, type ServerClient } from '../../kit/server-client.js';
import { startService } from '../../kit/service.js';

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

interface Announced {
  readonly url: string;
  readonly server: string;
}

/** What the service of this sandbox says about itself. */
function announced({ stateDir }: Sandbox): Announced {
  return JSON.parse(readFileSync(join(stateDir, 'service.json'), 'utf8')) as Announced;
}

describe('connect without an address', () => {
  it('starts one service for all clients, and another one when that has ended', async () => {
    const { sandbox } = await startBackstage();
    const open = async (era: Era): Promise<ServerClient> => {
      const client = await connectServer({ sandbox, era, args: ['connect'] });
      onTestFinished(() => client.close());
      return client;
    };
    const pids = new Set<number>();
    const note = (): number => {
      const pid = Number.parseInt(announced(sandbox).server, 10);
      pids.add(pid);
      return pid;
    };
    onTestFinished(async () => {
      for (const pid of pids) await ended(pid);
    });

    const clients = await Promise.all([open('modern'), open('legacy')]);
    const first = note();
    await ended(first);
    const answers = await Promise.all(
      clients.map(({ call }) => call('claude_code_session', { action: 'list' })),
    );
    const second = note();

    expect(answers.map(({ isError }) => isError)).toEqual([false, false]);
    expect(second).not.toBe(first);
  });
});

/** Ends a service and waits for its exit. */
async function ended(pid: number): Promise<void> {
  const isAlive = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  };
  isAlive('SIGTERM');
  await expect.poll(() => isAlive(0), { timeout: 10_000 }).toBe(false);
}

describe.each(eras)('connect, in the %s era', (era) => {
  it('lets a client that returns find its session, its events and its open request', async () => {
    const { model, sandbox } = await startBackstage();
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const env = { CLAUDE_CODE_MCP_APPROVALS: 'any' };
    const { url, token } = await startService({ sandbox, model, env });
    const first = await throughBridge(era, { sandbox, url, token });
    const asked = await first.call('claude_code', {
      prompt: 'touch it',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId } = asked.json;
    await first.close();

    const second = await throughBridge(era, { sandbox, url, token });
    const found = await second.call('claude_code_check', { sessionId });
    const requestId = found.json.actions?.[0]?.requestId;
    const answered = await second.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(found.json).toMatchObject({ sessionId, status: 'waiting', actions: [{ type: 'permission' }] });
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect([...first.strayLines(), ...second.strayLines()]).toEqual([]);
  });
});
