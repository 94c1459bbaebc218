import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';
import { serverEntry } from '../../kit/server-entry.js';

it('a token that may not answer starts sessions, and a revoked one stops working at once', async () => {
  const { model, sandbox } = await startBackstage();
  model.when('print it', [tool('Bash', { command: 'env | sort > env.txt' }), text('Done.')]);
  const env = { ...sandbox.env(model), CLAUDE_CODE_MCP_APPROVALS: 'any' };
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [serverEntry, 'token', ...args], { env })).stdout;
  const auditLog = join(sandbox.home, 'audit.jsonl');
  const service = await startService({ sandbox, model, env, args: ['--audit-log', auditLog] });
  const { token: script } = JSON.parse(await run('create', 'script', '--scope', 'call', '--json')) as {
    token: string;
  };
  const laptop = await connectHttp(service.url, { era: 'legacy', token: service.token });
  const caller = await connectHttp(service.url, { era: 'modern', token: script });

  const asked = await caller.call('claude_code', {
    prompt: 'print it',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const requestId = asked.json.actions?.[0]?.requestId;
  const refused = await caller.call('claude_code_respond', { requestId, decision: 'allow' });
  const answered = await laptop.call('claude_code_respond', { requestId, decision: 'allow' });
  await run('revoke', 'script');

  await expect(caller.call('claude_code_session', { action: 'list' })).rejects.toThrow();
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Error \[PERMISSION_DENIED\]/),
  });
  expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  expect(readFileSync(auditLog, 'utf8')).toContain('"what":"request_refused","reason":"wrong_token"');
  const written = [
    readFileSync(auditLog, 'utf8'),
    readFileSync(join(sandbox.project, 'env.txt'), 'utf8'),
    service.stderr(),
  ].join('\n');
  expect([script, service.token ?? ''].filter((secret) => written.includes(secret))).toEqual([]);
});

it.each(['token create', 'connect'])('%s refuses to run inside a session', async (command) => {
  const { sandbox } = await startBackstage();
  const env = { ...sandbox.env(), CLAUDE_CODE_MCP_DEPTH: '1' };

  await expect(
    promisify(execFile)(process.execPath, [serverEntry, ...command.split(' '), 'mine'], { env }),
  ).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${command}: cannot be used inside a session.`),
  });
});

it('the service does not start when its tokens are damaged', async () => {
  const { sandbox } = await startBackstage();
  mkdirSync(sandbox.stateDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(sandbox.stateDir, 'tokens.json'), '{"tokens":', { mode: 0o600 });

  await expect(startService({ sandbox })).rejects.toThrow(
    /The service exited with 2\.\n.*tokens\.json: is damaged, so no token is accepted/,
  );
});
