import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';

const readByTheServer = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.git',
  'CLAUDE.md',
];

describe.skipIf(process.platform === 'win32')('a project whose files are not files', () => {
  it.each([
    ['named pipes', (path: string) => execFileSync('mkfifo', [path])],
    ['links to an endless device', (path: string) => symlinkSync('/dev/zero', path)],
    ['links to themselves', (path: string) => symlinkSync(path, path)],
    ['folders', (path: string) => mkdirSync(path)],
  ])('holds up no session: %s', async (_kind, plant) => {
    const { server, sandbox } = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_TRUSTED_ROOTS: '/' },
    });
    mkdirSync(join(sandbox.project, '.claude'));
    for (const name of readByTheServer) plant(join(sandbox.project, name));

    const starts = await Promise.all(
      Array.from({ length: 6 }, () =>
        server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 }),
      ),
    );

    expect(starts.map(({ json }) => json.status)).toEqual(starts.map(() => 'idle'));
  });
});
