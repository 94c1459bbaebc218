/** Commands of the documentation that need no network, no account and no terminal, run as they are written. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commandsIn, pages } from '../docs/pages.js';
import { realClaude } from '../kit/argv-log.js';
import { createSandbox } from '../kit/sandbox.js';
import { serverEntry } from '../kit/server-entry.js';

const programs: Readonly<Record<string, () => readonly [string, ...string[]]>> = {
  'claude-code-mcp': () => [process.execPath, serverEntry],
  claude: () => [realClaude()],
};

it('commands of the documentation do what they say', () => {
  const documented = pages.flatMap(commandsIn).map(({ words }) => words);
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const run = (text: string): { readonly status: number | null; readonly stdout: string } => {
    const [name = '', ...args] = documented.find((words) => words.join(' ') === text) ?? [];
    const [program = '', ...before] = programs[name]?.() ?? [];
    const { status, stdout, stderr } = spawnSync(program, [...before, ...args], {
      env: sandbox.env(),
      cwd: sandbox.project,
      encoding: 'utf8',
      input: '',
    });
    return { status, stdout: stdout + stderr };
  };

  const answers = [
    'claude mcp add --scope user claude-code -- npx -y mcp-server-claude-code',
    'claude-code-mcp sessions',
    'claude-code-mcp install --print',
    'claude-code-mcp config',
    'claude-code-mcp token create laptop --expires-days 90',
    'claude-code-mcp serve status',
  ].map(run);

  const words = (text: string): unknown => expect.stringContaining(text);
  expect(answers).toEqual([
    { status: 0, stdout: words('Added stdio MCP server claude-code') },
    { status: 0, stdout: words('No sessions found.') },
    { status: 0, stdout: words('"mcpServers"') },
    { status: 0, stdout: words('approvals ') },
    { status: 0, stdout: words('Created token laptop.') },
    { status: 1, stdout: words('No service') },
  ]);
  const state = JSON.parse(readFileSync(join(sandbox.configDir, '.claude.json'), 'utf8')) as unknown;
  const example = JSON.parse(readFileSync('examples/clients/claude-code.json', 'utf8')) as object;
  expect(state).toMatchObject(example);
});
