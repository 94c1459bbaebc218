/** A sandbox whose programs are not installed. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';
import { backends } from './faults/fault-scene.js';

async function startWithout(env: Readonly<Record<string, string>>) {
  const { model, sandbox } = await startBackstage();
  const programs = join(sandbox.root, 'programs');
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, 'node'));
  const server = await connectServer({ era: 'modern', model, sandbox, env: { ...env, PATH: programs } });
  onTestFinished(() => server.close());
  return { server, model };
}

const installOrLeave =
  /Ask a person to install what is missing on the server's machine, or pass null as sandbox if you asked for it\./;

describe.skipIf(process.platform !== 'linux')('a sandbox that is not installed', () => {
  it.each(backends)('is an error of the start, which leaves no session: %s', async (backend) => {
    const { server } = await startWithout({ CLAUDE_CODE_MCP_BACKEND: backend });

    const refused = await server.call('claude_code', {
      prompt: 'hello',
      advanced: { sandbox: { enabled: true } },
      waitMs: 20_000,
    });
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(refused.text).toMatch(/^Error \[UNAVAILABLE\]: Claude Code cannot use the sandbox: .*bubblewrap/);
    expect(refused.text).toMatch(installOrLeave);
    expect(refused.text).not.toContain('failIfUnavailable');
    expect(list.json.sessions).toEqual([]);
  });

  it('fails a reply that asks for it, which says how to continue without it', async () => {
    const { server } = await startWithout({});
    const waitMs = 20_000;
    const { json } = await server.call('claude_code', { prompt: 'hello', waitMs });
    const { sessionId } = json;

    const failed = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'again',
      diskResumeConfig: { sandbox: { enabled: true } },
      waitMs,
    });
    const without = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'again',
      diskResumeConfig: { sandbox: null },
      waitMs,
    });

    expect(failed.json).toMatchObject({ status: 'error', result: { outcome: 'failed' } });
    expect(failed.json.result?.nextStep).toMatch(installOrLeave);
    expect(failed.json.result?.nextStep).toContain(
      'Options of this session go in diskResumeConfig of claude_code_reply.',
    );
    expect(without.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
  });
});
