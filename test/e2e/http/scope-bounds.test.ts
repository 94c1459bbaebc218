import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';

const entry = fileURLToPath(new URL('../../../dist/claude-code-mcp.js', import.meta.url));

it('a session of a token that may not answer stays within its folder after another token has answered', async () => {
  const { model, sandbox } = await startBackstage();
  const outside = join(sandbox.home, 'notes.txt');
  writeFileSync(outside, 'private notes\n');
  model.when('read it', [
    tool('Bash', { command: 'touch made.txt' }),
    tool('Read', { file_path: outside }),
    text('Done.'),
  ]);
  const env = { ...sandbox.env(model), CLAUDE_CODE_MCP_APPROVALS: 'any' };
  const service = await startService({ sandbox, model, env });
  const created = await promisify(execFile)(
    process.execPath,
    [entry, 'token', 'create', 'script', '--scope', 'call', '--json'],
    { env },
  );
  const { token: script } = JSON.parse(created.stdout) as { token: string };
  const person = await connectHttp(service.url, { era: 'modern', token: service.token });
  const caller = await connectHttp(service.url, { era: 'modern', token: script });

  const asked = await caller.call('claude_code', {
    prompt: 'read it',
    cwd: sandbox.project,
    allowedTools: ['Read'],
    waitMs: 20_000,
  });
  const requestId = asked.json.actions?.[0]?.requestId;
  const answered = await person.call('claude_code_respond', { requestId, decision: 'allow', waitMs: 20_000 });

  expect(answered.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Read' }] });
});
