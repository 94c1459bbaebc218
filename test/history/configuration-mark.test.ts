import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { configurationMark } from '../../src/history/settings/configuration-mark.js';

async function configured() {
  const home = await mkdtemp(join(tmpdir(), 'mark-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const claudeHome = { ...resolveClaudeHome({ home }), managedDir: join(home, 'managed') };
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  };
  await write('.claude.json', JSON.stringify({ mcpServers: { a: { command: 'a' } }, numStartups: 1 }));
  await write('.claude/settings.json', '{}');
  return { write, mark: () => configurationMark(claudeHome) };
}

it.each([
  ['the settings of the user', '.claude/settings.json', '{"model":"haiku"}'],
  ['the sign-in', '.claude/.credentials.json', '{}'],
  ['the plugins', '.claude/plugins/installed_plugins.json', '{}'],
  ['the settings of the machine', 'managed/managed-settings.json', '{}'],
  ['a part of the settings of the machine', 'managed/managed-settings.d/10.json', '{}'],
  ['the MCP servers of the user', '.claude.json', '{"mcpServers":{}}'],
])('changes with %s', async (_what, path, text) => {
  const { write, mark } = await configured();
  const before = await mark();

  await write(path, text);

  expect(await mark()).not.toBe(before);
});

it('does not change with what Claude Code writes in every session', async () => {
  const { write, mark } = await configured();
  const before = await mark();

  await write('.claude.json', JSON.stringify({ mcpServers: { a: { command: 'a' } }, numStartups: 2 }));
  await write('.claude/projects/p/s.jsonl', '{}');
  await write('.claude/history.jsonl', '{}');

  expect(await mark()).toBe(before);
});
