import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { findSessionOrigin } from '../../src/history/session-origin.js';

const id = '00000000-0000-4000-8000-000000000001';
const otherId = '00000000-0000-4000-8000-000000000002';

/** A Claude Code that has this transcript of the session. */
async function homeWith(...lines: readonly (string | object)[]) {
  const home = await mkdtemp(join(tmpdir(), 'origin-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const claudeHome = resolveClaudeHome({ home });
  const folder = join(claudeHome.projectsDir, '-srv-repo');
  await mkdir(folder, { recursive: true });
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  await writeFile(join(folder, `${id}.jsonl`), `${text}\n`);
  return claudeHome;
}

describe('the folder of a session', () => {
  it('is the first one in its transcript, after lines without one', async () => {
    const claudeHome = await homeWith(
      { type: 'custom-title', customTitle: 'birds' },
      { type: 'user', cwd: '/srv/repo' },
      { type: 'user', cwd: '/srv/elsewhere' },
    );

    expect(await findSessionOrigin(claudeHome, id)).toEqual({
      cwd: '/srv/repo',
      modifiedAt: expect.any(Number),
    });
  });

  it('is unknown without a transcript or without Claude Code', async () => {
    const claudeHome = await homeWith({ cwd: '/srv/repo' });

    expect(await findSessionOrigin(claudeHome, otherId)).toBeUndefined();
    expect(await findSessionOrigin(resolveClaudeHome({ home: '/nowhere' }), id)).toBeUndefined();
  });

  it.each([
    ['names none', [{ type: 'user' }]],
    ['is empty', []],
    ['names a relative one', [{ cwd: 'srv/repo' }]],
    ['names something else', [{ cwd: 42 }, { cwd: null }, { cwd: ['/srv'] }]],
    ['names it in another place', [{ message: { cwd: '/srv/repo' } }]],
    ['cannot be read', ['{"cwd":"/srv/re', 'null', '[]']],
  ])('is unknown where the transcript %s', async (_, lines) => {
    expect(await findSessionOrigin(await homeWith(...lines), id)).toBeUndefined();
  });

  it('is found after unreadable lines', async () => {
    const claudeHome = await homeWith('{]', '', 'null', { cwd: 'relative' }, { cwd: '/srv/repo' });

    expect(await findSessionOrigin(claudeHome, id)).toEqual({
      cwd: '/srv/repo',
      modifiedAt: expect.any(Number),
    });
  });

  it('is not searched beyond the beginning of a huge transcript', async () => {
    const claudeHome = await homeWith({ filler: 'x'.repeat(16 * 1024 * 1024) }, { cwd: '/srv/repo' });

    expect(await findSessionOrigin(claudeHome, id)).toBeUndefined();
  });
});
