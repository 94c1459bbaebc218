import { randomUUID } from 'node:crypto';
import { appendFile, chmod, mkdir, rm, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { mayHoldSessionsOf } from '../../src/history/project-folder.js';
import type { ClaudeHome } from '../../src/history/claude-home.js';
import { pathOf, TranscriptTable } from '../../src/history/transcript-files.js';
import { put, tempHome } from './support/temp-home.js';
import { putTranscript } from './support/transcripts.js';

it('finds the sessions of every project, latest first', async () => {
  const { claudeHome } = tempHome();
  const old = await putTranscript(claudeHome, { cwd: '/a', modifiedAt: 100 });
  const latest = await putTranscript(claudeHome, { cwd: '/b', modifiedAt: 300, content: 'four' });
  const middle = await putTranscript(claudeHome, { cwd: '/a', modifiedAt: 200 });

  const { files, unreadable } = await findTranscripts(claudeHome);

  expect(files.map(({ sessionId }) => sessionId)).toEqual([old, middle, latest].toReversed().map(idOf));
  expect(files[0]).toMatchObject({ sessionId: latest.sessionId, modifiedAt: 300_000, bytes: 4 });
  expect(unreadable).toBe(0);
});

it('finds the same in searches at the same time, also after one that failed', async () => {
  const { claudeHome } = tempHome();
  const { sessionId } = await putTranscript(claudeHome, { cwd: '/a', modifiedAt: 100 });
  const table = new TranscriptTable(claudeHome);
  const failing = table.find(() => {
    throw new Error('broken');
  });

  const found = Promise.all([table.find(), table.find(), table.find()]);

  await expect(failing).rejects.toThrow('broken');
  expect((await found).map(({ files }) => files.map((file) => file.sessionId))).toEqual([
    [sessionId],
    [sessionId],
    [sessionId],
  ]);
});

it('accepts only files that are named by a UUID', async () => {
  const { claudeHome } = tempHome();
  const folder = join(claudeHome.projectsDir, '-p');
  await put(join(folder, 'agent-1a2b.jsonl'), 'x');
  await put(join(folder, 'a title.jsonl'), 'x');
  await put(join(folder, `${randomUUID()}.json`), 'x');
  await put(join(folder, `${randomUUID().toUpperCase()}.jsonl`), 'x');
  await put(join(claudeHome.projectsDir, `${randomUUID()}.jsonl`), 'x');
  await mkdir(join(folder, `${randomUUID()}.jsonl`));

  expect(await findTranscripts(claudeHome)).toEqual({ files: [], unreadable: 0 });
});

it('follows no link, neither to a folder nor to a file', async () => {
  const { root, claudeHome } = tempHome();
  const outside = await put(join(root, 'outside', `${randomUUID()}.jsonl`), 'secret');
  await mkdir(join(claudeHome.projectsDir, '-p'), { recursive: true });
  await symlink(join(root, 'outside'), join(claudeHome.projectsDir, '-linked'));
  await symlink(outside, join(claudeHome.projectsDir, '-p', `${randomUUID()}.jsonl`));

  expect((await findTranscripts(claudeHome)).files).toEqual([]);
});

it('lists a session in two folders once, by the later file', async () => {
  const { claudeHome } = tempHome();
  const { sessionId } = await putTranscript(claudeHome, { cwd: '/a', modifiedAt: 100 });
  const later = await putTranscript(claudeHome, { sessionId, cwd: '/b', modifiedAt: 200 });

  expect((await findTranscripts(claudeHome)).files.map(pathOf)).toEqual([later.path]);
});

it('searches only where the sessions of a folder can be, even if its name is truncated', async () => {
  const { claudeHome } = tempHome();
  const long = `/${'deep/'.repeat(60)}end`;
  await putTranscript(claudeHome, { cwd: '/a/b' });
  await putTranscript(claudeHome, { cwd: '/a/b/c' });
  const cut = join(claudeHome.projectsDir, `${'-deep'.repeat(60).slice(0, 200)}-h4sh`);
  const hidden = await put(join(cut, `${randomUUID()}.jsonl`), 'x');

  const short = await findTranscripts(claudeHome, mayHoldSessionsOf('/a/b'));
  const deep = await findTranscripts(claudeHome, mayHoldSessionsOf(long));

  expect(short.files).toHaveLength(1);
  expect(deep.files.map(pathOf)).toEqual([hidden]);
});

it.skipIf(process.getuid?.() === 0)('counts a folder that cannot be read', async () => {
  const { claudeHome } = tempHome();
  const { path } = await putTranscript(claudeHome);
  await chmod(join(path, '..'), 0o000);

  const found = await findTranscripts(claudeHome);
  await chmod(join(path, '..'), 0o700);

  expect(found).toEqual({ files: [], unreadable: 1 });
});

it('notices files that were added, changed, moved or removed since the last call', async () => {
  const { claudeHome } = tempHome();
  const table = new TranscriptTable(claudeHome);
  const ids = async () => (await table.find()).files.map(idOf);
  const first = await putTranscript(claudeHome, { cwd: '/a', modifiedAt: 100 });
  const second = await putTranscript(claudeHome, { cwd: '/b', modifiedAt: 200 });
  // Long ago, so that what is known of the folders is trusted.
  for (const { path } of [first, second]) await utimes(dirname(path), 50, 50);
  expect(await ids()).toEqual([second, first].map(idOf));
  const [, kept] = (await table.find()).files;

  await appendFile(second.path, 'more');
  expect((await table.find()).files[1]).toBe(kept);
  await utimes(first.path, 5_000_000_000, 5_000_000_000);
  expect(await ids()).toEqual([first, second].map(idOf));
  const third = await putTranscript(claudeHome, { cwd: '/b', modifiedAt: 300 });
  expect((await ids()).toSorted()).toEqual([first, second, third].map(idOf).toSorted());
  await rm(dirname(first.path), { recursive: true });
  await rm(third.path);
  expect(await table.find()).toMatchObject({ files: [{ sessionId: second.sessionId }], unreadable: 0 });
});

it('finds nothing where Claude Code has never run', async () => {
  const { claudeHome } = tempHome();

  expect(await findTranscripts(claudeHome)).toEqual({ files: [], unreadable: 0 });
});

function idOf({ sessionId }: { sessionId: string }): string {
  return sessionId;
}

function findTranscripts(claudeHome: ClaudeHome, isWanted?: (folderName: string) => boolean) {
  return new TranscriptTable(claudeHome).find(isWanted);
}
