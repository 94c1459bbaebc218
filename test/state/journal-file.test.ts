import { readdirSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  appendLines,
  readLines,
  replaceLines,
  type ReadLines,
} from '../../src/state/journal/journal-file.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

async function journal(text: string) {
  const folder = temporaryFolder();
  const path = join(folder, 'session.jsonl');
  await writeFile(path, text, { mode: 0o600 });
  const read = (await readLines(path)) as ReadLines;
  return { folder, path, read };
}

describe('a journal that is replaced by a shorter one', () => {
  it('keeps the lines that were added since it was read, and leaves no other file', async () => {
    const { folder, path, read } = await journal('one\ntwo\n');
    await appendLines(path, 'three\n', { isDurable: false });

    const bytes = await replaceLines(path, 'both\n', read);

    expect(await readFile(path, 'utf8')).toBe('both\nthree\n');
    expect(bytes).toBe('both\nthree\n'.length);
    expect(readdirSync(folder)).toEqual(['session.jsonl']);
  });

  it('replaces what an earlier attempt has left behind', async () => {
    const { folder, path, read } = await journal('one\ntwo\n');
    for (const left of ['.tmp', '.old.tmp'])
      await writeFile(`${path}${left}`, 'half a line', { mode: 0o600 });

    await replaceLines(path, 'both\n', read);

    expect(await readFile(path, 'utf8')).toBe('both\n');
    expect(readdirSync(folder)).toEqual(['session.jsonl']);
  });

  // Windows refuses to replace an open file. Linux shows which files are open.
  it.runIf(process.platform === 'linux')('is not open meanwhile', async () => {
    const { path, read } = await journal('one\ntwo\n'.repeat(10_000));
    const seen = new Set<string>();
    const done = new AbortController();

    const replacing = replaceLines(path, 'both\n'.repeat(10_000), read).finally(() => done.abort());
    while (!done.signal.aborted) {
      for (const name of openFiles()) seen.add(name);
      await turn();
    }
    await replacing;

    const ours = [...seen].filter((name) => name.startsWith(path)).map((name) => name.slice(path.length));
    expect(ours).toContain('.tmp');
    expect(ours).not.toContain('');
    expect(ours).not.toContain(' (deleted)');
  });
});

function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
}

it.each([
  ['continues', 'one\ntwo\nthree\n', { start: 8, lines: ['three'] }],
  ['begins anew', 'all\nsix\nthree\n', { start: 0, lines: ['all', 'six', 'three'] }],
])('a later read of a file with the same inode %s as its content says', async (_how, text, expected) => {
  const { path, read } = await journal('one\ntwo\n');
  // Where file systems use the inode of a deleted file again, a compacted journal can get that of an earlier one.
  await writeFile(path, text);

  const later = await readLines(path, read);

  expect(later).toMatchObject(expected);
});
