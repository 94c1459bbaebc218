import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';
import { toolResultText } from '../kit/tool-result.js';
import { startStage } from './stage.js';

const run = promisify(execFile);
const ours = (name: string): string => `mcp__claude-code__${name}`;

/** Starts a session, allows what it asks for, and repeats its result. */
function delegation(prompt: string, cwd: string): readonly ScriptStep[] {
  return [
    tool(ours('claude_code'), { prompt, cwd, waitMs: 20_000 }, { id: 'start' }),
    (request) => {
      const { actions } = JSON.parse(toolResultText(request, 'start') ?? '{}');
      const [{ requestId, toolName }] = actions;
      expect(toolName).toBe('Write');
      return tool(ours('claude_code_respond'), { requestId, decision: 'allow' }, { id: 'allow' });
    },
    (request) => text(toolResultText(request, 'allow') ?? 'no answer'),
  ];
}

describe('Claude Code as the client', () => {
  it.each([
    { negotiation: 'legacy', handshake: 'initialize', revision: '2025-11-25' },
    { negotiation: 'auto', handshake: 'server/discover', revision: '2026-07-28' },
  ])(
    'starts a session, approves its request and gets its result with $revision',
    async ({ negotiation, handshake, revision }) => {
      const { sandbox, model, claude, server, env, task, file } = await startStage();
      const names = [ours('claude_code'), ours('claude_code_respond')];
      model.when('delegate', [tool('ToolSearch', { query: `select:${names.join(',')}` })]);
      model.when('Tool loaded.', delegation(task, sandbox.project));
      const received = join(sandbox.root, 'received.jsonl');
      const recorded = { command: 'sh', args: ['-c', `tee '${received}' | "$@"`, 'sh', ...server] };
      const config = JSON.stringify({ mcpServers: { 'claude-code': recorded } });
      const configFile = join(sandbox.root, 'mcp.json');
      writeFileSync(configFile, config);
      const flags = `--output-format json --strict-mcp-config --allowedTools mcp__claude-code`.split(' ');

      const { stdout } = await run(claude, ['-p', 'delegate', ...flags, '--mcp-config', configFile], {
        cwd: sandbox.project,
        env: { ...env, MCP_PROTOCOL_NEGOTIATION: negotiation },
      });

      expect(JSON.parse(JSON.parse(stdout).result)).toMatchObject({
        status: 'idle',
        result: { result: 'Written.', isError: false },
      });
      expect(readFileSync(file, 'utf8')).toBe('made');
      const [first = ''] = readFileSync(received, 'utf8').split('\n');
      expect(JSON.parse(first)).toMatchObject({ method: handshake });
      expect(first).toContain(revision);
    },
  );
});
