import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { auditSceneIn, type AuditScene } from '../observability/audit-scene.js';

/** Files of the server may not grow past a size: for a log that has reached it, that is a full disk. */
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

interface DiskScene extends Scene {
  readonly audit: AuditScene;
  fill(): void;
  free(): void;
  /** How often the log says so. */
  count(message: string): number;
}

/** A server on a log that is larger than anything else it writes. */
async function onSmallDisk(env: Record<string, string> = {}): Promise<DiskScene> {
  const { model, sandbox } = await startBackstage();
  const folder = join(realpathSync(sandbox.root), 'var');
  mkdirSync(folder, { recursive: true });
  const audit = auditSceneIn(folder, sandbox.stateDir);
  const { file, release } = await audit.open();
  for (let index = 0; index < 4_000; index += 1) file.append({ what: 'test', words: 'x'.repeat(300) });
  file.close();
  await release();
  const server = await connectServer({
    sandbox,
    model,
    era: 'modern',
    env: { CLAUDE_CODE_MCP_AUDIT_LOG: audit.path, ...env },
  });
  onTestFinished(() => server.close());
  const limit = (size: string): void =>
    void execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${size}:unlimited`]);
  return {
    server,
    model,
    sandbox,
    audit,
    fill: () => limit(String(statSync(audit.path).size)),
    free: () => limit('unlimited'),
    count: (message) => server.stderr().split(`"message":"${message}"`).length - 1,
  };
}

function newLines({ audit }: DiskScene) {
  return readFileSync(audit.path, 'utf8')
    .split('\n')
    .slice(4_000, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.skipIf(!canLimit)('a full disk', () => {
  it('stops no work where the audit log is not required, and is told once', async () => {
    const scene = await onSmallDisk();
    const { server, model, audit } = scene;
    model.when('go', [text('done')]);

    scene.fill();
    const { json } = await server.call('claude_code', { prompt: 'go', waitMs: 20_000 });
    scene.free();
    await server.call('claude_code_session', { action: 'get', sessionId: json.sessionId });

    expect(json).toMatchObject({ status: 'idle', result: { result: 'done' } });
    expect(scene.count('the audit log cannot be written')).toBe(1);
    expect(newLines(scene)).toMatchObject([
      { seq: 4_001, what: 'entries_lost', count: 3 },
      { what: 'tool_call', tool: 'claude_code_session' },
    ]);
    expect(audit.problems()).toEqual([undefined]);
  });

  it('refuses new work where the audit log is required, and lets sessions be watched and stopped', async () => {
    const scene = await onSmallDisk({ CLAUDE_CODE_MCP_AUDIT_REQUIRED: '1' });
    const { server, model, audit } = scene;
    const open = createGate();
    model.when('ask', [tool('Bash', { command: 'touch a.txt' }), text('done')]);
    model.when('wait', [gate(open, text('done'))]);
    const asking = await server.call('claude_code', { prompt: 'ask', waitMs: 20_000 });
    const { sessionId, actions } = asking.json;
    const { requestId } = actions?.[0] ?? {};

    scene.fill();
    const before = model.requests().length;
    const refused = [
      await server.call('claude_code', { prompt: 'wait' }),
      await server.call('claude_code_reply', { sessionId, prompt: 'wait', whenBusy: 'queue' }),
      await server.call('claude_code_respond', { requestId, decision: 'allow' }),
      await server.call('claude_code_session', { action: 'configure', sessionId, permissionMode: 'plan' }),
    ];
    const watched = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    const denied = await server.call('claude_code_respond', { requestId, decision: 'deny', waitMs: 20_000 });
    const cancelled = await server.call('claude_code_session', { action: 'cancel', sessionId });
    const requested = model.requests().length - before;
    scene.free();
    open.open();
    const after = await server.call('claude_code', { prompt: 'wait', waitMs: 20_000 });

    for (const { text: words } of refused)
      expect(words).toMatch(
        /^Error \[UNAVAILABLE\]: the audit log .*audit\.jsonl cannot be written.* Ask the operator to free disk space/,
      );
    expect(watched.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(denied.json).toMatchObject({ status: 'idle' });
    expect(cancelled.json).toMatchObject({ status: 'cancelled' });
    // Claude was told of the denial; no other turn has begun.
    expect(requested).toBe(1);
    expect(after.json).toMatchObject({ status: 'idle', result: { result: 'done' } });
    expect(scene.count('the audit log cannot be written')).toBe(1);
    expect(newLines(scene).map(({ what }) => what)).toEqual([
      'prompt_given',
      'tool_call',
      'entries_lost',
      'prompt_given',
      'turn_ended',
      'tool_call',
    ]);
    expect(audit.problems()).toEqual([undefined]);
  });
});
