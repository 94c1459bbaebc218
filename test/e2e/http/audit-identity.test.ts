import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { composeTokens } from '../../../src/app/service/compose-tokens.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';

type Line = Readonly<Record<string, unknown>>;

it('a caller cannot hide itself, its sessions or what it approved from the audit log', async () => {
  const { sandbox, model } = await startBackstage();
  const folder = join(sandbox.root, 'var');
  mkdirSync(folder);
  const path = join(folder, 'audit.jsonl');
  writeFileSync(path, '', { mode: 0o600 });
  const token = await composeTokens(sandbox.stateDir).create({
    name: 'alice-laptop',
    principal: 'owner',
    scopes: ['call', 'approve'],
    now: Date.now(),
  });
  const env = { CLAUDE_CODE_MCP_APPROVALS: 'any', CLAUDE_CODE_MCP_AUDIT_LOG: path };
  const service = await startService({ sandbox, model, env });
  const { call } = await connectHttp(service.url, { era: 'modern', token });
  const input = { command: 'touch run-2.sh' };
  model.when('touch it', [tool('Bash', input), text('Done.')]);
  const first = await call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 });
  const { sessionId } = first.json;

  // Values that a caller passes in headers are masked as secrets.
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const headers = { a: 'alice-laptop', b: sessionId, c: inputHash, d: 'touch run-2.sh' };
  const mcpServers = { x: { type: 'http', url: 'https://mcp.example.com/mcp', headers } };
  await call('claude_code', { prompt: 'hi', cwd: sandbox.project, advanced: { mcpServers }, waitMs: 0 });
  const asked = await call('claude_code_reply', { sessionId, prompt: 'touch it', waitMs: 20_000 });
  const requestId = asked.json.actions?.[0]?.requestId;
  await call('claude_code_respond', { requestId, decision: 'allow', waitMs: 20_000 });

  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  const settled = lines.find(({ what }) => what === 'input_settled');
  expect(settled).toMatchObject({ sessionId, inputHash, login: 'alice-laptop' });
});
