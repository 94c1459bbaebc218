import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  findTranscript,
  hasForeignTurns,
  lacksMessages,
  markTranscript,
} from '../../src/history/transcript.js';
import { put, tempHome } from './support/temp-home.js';

const ours = 'ours';
const isOurs = (uuid: string) => uuid === ours;
const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const foreign = line({ type: 'user', isSidechain: false, uuid: 'theirs', message: { content: 'hi' } });

it('finds a transcript in the folder of its session and in any other', async () => {
  const { claudeHome, root } = tempHome();
  const [id, other] = [randomUUID(), randomUUID()];
  const cwd = join(root, 'my project_1');
  const inCwd = join(claudeHome.projectsDir, cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  await mkdir(cwd);
  await put(join(claudeHome.projectsDir, '-a', `${id}.jsonl`), foreign);
  await put(join(inCwd, `${id}.jsonl`), foreign);
  await put(join(claudeHome.projectsDir, '-z', `${other}.jsonl`), foreign);
  await put(join(claudeHome.projectsDir, 'not-a-folder'), '');

  expect(await findTranscript(claudeHome, id, cwd)).toBe(join(inCwd, `${id}.jsonl`));
  expect(await findTranscript(claudeHome, other, cwd)).toBe(
    join(claudeHome.projectsDir, '-z', `${other}.jsonl`),
  );
  expect(await findTranscript(claudeHome, other)).toBe(join(claudeHome.projectsDir, '-z', `${other}.jsonl`));
  expect(await findTranscript(claudeHome, randomUUID(), cwd)).toBeUndefined();
});

it('finds no transcript where Claude Code has never run', async () => {
  const { claudeHome } = tempHome();

  expect(await findTranscript(claudeHome, randomUUID(), '/nowhere')).toBeUndefined();
  expect(await markTranscript(join(claudeHome.projectsDir, 'none.jsonl'))).toBeUndefined();
});

it.each([
  ['nothing', ''],
  [
    'bookkeeping',
    line({ type: 'cost-state' }) + line({ type: 'last-prompt' }) + line({ type: 'custom-title' }),
  ],
  ['our own turn', line({ type: 'user', uuid: ours }) + line({ type: 'assistant', uuid: ours })],
  ['a subagent', line({ type: 'assistant', isSidechain: true, uuid: 'x' })],
  ['a caveat', line({ type: 'user', isMeta: true, uuid: 'x' })],
  ['a finished task', line({ type: 'user', origin: { kind: 'task-notification' }, uuid: 'x' })],
  [
    'a command',
    line({ type: 'user', uuid: 'x', message: { content: '<command-name>/model</command-name>' } }),
  ],
  ['half a line', foreign.slice(0, -1)],
  ['empty lines', '\n\n'],
])('does not treat %s as a foreign turn', async (_, appended) => {
  const { path, mark } = await marked(line({ type: 'user', uuid: 'before' }));
  await appendFile(path, appended);

  expect(await hasForeignTurns(mark, isOurs)).toBe(false);
});

it.each([
  ['a prompt', foreign],
  [
    'an answer behind bookkeeping',
    line({ type: 'cost-state' }) + line({ type: 'assistant', uuid: 'theirs' }),
  ],
  ['a prompt behind ours', line({ type: 'user', uuid: ours }) + foreign],
  ['a compaction', line({ type: 'user', isCompactSummary: true, uuid: 'theirs' })],
  ['a message without a uuid', line({ type: 'user' })],
  ['a line torn by two writers', `{"type":"us${foreign}`],
  ['a prompt with a line separator in it', line({ type: 'user', uuid: 'theirs', text: 'a\u2028b' })],
])('treats %s as a foreign turn', async (_, appended) => {
  const { path, mark } = await marked(line({ type: 'user', uuid: 'before' }));
  await appendFile(path, appended);

  expect(await hasForeignTurns(mark, isOurs)).toBe(true);
});

it('reads a line that was incomplete when the mark was taken', async () => {
  const { path, mark } = await marked(line({ type: 'user', uuid: 'before' }) + foreign.slice(0, 20));
  expect(await hasForeignTurns(mark, isOurs)).toBe(false);

  await appendFile(path, foreign.slice(20));

  expect(await hasForeignTurns(mark, isOurs)).toBe(true);
});

it('places the mark after the last complete line, however long the rest', async () => {
  const { mark } = await marked(`${foreign}{"type":"user","text":"${'é'.repeat(100_000)}`);

  expect(mark.size).toBe(Buffer.byteLength(foreign));
});

it('reads lines that are longer than one chunk', async () => {
  const { path, mark } = await marked(foreign);
  const text = 'é'.repeat(1_500_000);

  await appendFile(path, line({ type: 'user', uuid: ours, text }) + line({ type: 'cost-state' }));
  expect(await hasForeignTurns(mark, isOurs)).toBe(false);

  await appendFile(path, line({ type: 'user', text, uuid: 'theirs' }));
  expect(await hasForeignTurns(mark, isOurs)).toBe(true);
});

it('does not read a flood of writes, but treats it as foreign', async () => {
  const { path, mark } = await marked(foreign);
  await truncate(path, mark.size + 100 * 1024 * 1024);

  expect(await hasForeignTurns(mark, isOurs)).toBe(true);
});

it('reads only the new part of a large transcript', async () => {
  const { path } = await marked('');
  await truncate(path, 100 * 1024 * 1024);
  await appendFile(path, '\n');
  const mark = await markTranscript(path);
  await appendFile(path, line({ type: 'cost-state' }));

  expect(mark?.size).toBe(100 * 1024 * 1024 + 1);
  expect(mark && (await hasForeignTurns(mark, isOurs))).toBe(false);
});

it('treats a truncated or replaced file as foreign, but not a deleted one', async () => {
  const shrunk = await marked(foreign);
  const replaced = await marked(foreign);
  const deleted = await marked(foreign);
  await truncate(shrunk.path, 10);
  await put(`${replaced.path}.new`, foreign);
  await rename(`${replaced.path}.new`, replaced.path);
  await rm(deleted.path);

  expect(await hasForeignTurns(shrunk.mark, isOurs)).toBe(true);
  expect(await hasForeignTurns(replaced.mark, isOurs)).toBe(true);
  expect(await hasForeignTurns(deleted.mark, isOurs)).toBe(false);
});

async function marked(content: string) {
  const { root } = tempHome();
  const path = await put(join(root, 'transcript.jsonl'), content);
  const mark = await markTranscript(path);
  if (mark === undefined) throw new Error('no transcript');
  return { path, mark };
}

const answer = (uuid: string) => line({ type: 'assistant', uuid });
/** More than is read of the end of a transcript. */
const long = answer('x'.repeat(1024)).repeat(16 * 1024);

it.each([
  ['lacks an answer that is not its last', true, false, answer('two')],
  ['lacks an answer at its end', true, false, answer('one')],
  ['lacks none', false, false, answer('one') + answer('two')],
  ['lacks none, although one is too far back to be read', false, true, answer('two')],
  ['is long and lacks its last answer', true, true, ''],
  ['is long and lacks an answer between two that are read', true, true, answer('one') + answer('three')],
])('a transcript %s', async (_what, lacks, isLong, end) => {
  const { claudeHome } = tempHome();
  const path = join(claudeHome.projectsDir, '-a', 'one.jsonl');
  await put(path, (isLong ? answer('one') + long : '') + end);
  const reported = ['one', 'two', ...(end.includes('three') ? ['three'] : [])];

  expect(await lacksMessages(path, reported)).toBe(lacks);
});
