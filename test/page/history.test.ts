import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor } from '../../src/observability/redact/redact.js';
import { redactorOf } from '../kit/redactors.js';
import { startIn, type ManagerSceneOptions } from '../sessions/manager-scene.js';
import { createDeskScene, phone } from './desk-scene.js';

/** A session with a transcript, to which the test adds lines. */
async function startRecorded(options: ManagerSceneOptions = {}) {
  const scene = await createDeskScene(options);
  const { session, process } = await startIn(scene);
  const path = join(scene.claudeHome.projectsDir, 'project', `${session.id}.jsonl`);
  const write = (file: string, line: object): void => {
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  let second = 0;
  const used = (id: string, name: string, input: object, file = path): void =>
    write(file, {
      type: 'assistant',
      timestamp: `2026-01-01T00:00:${String((second += 1)).padStart(2, '0')}Z`,
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    });
  const returned = (id: string, content: unknown, more: object = {}, file = path): void =>
    write(file, {
      type: 'user',
      timestamp: `2026-01-01T00:00:${String((second += 1)).padStart(2, '0')}Z`,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
      ...more,
    });
  const agentPath = join(dirname(path), session.id, 'subagents', 'agent-a1.jsonl');
  const call = (toolUseId: string) =>
    scene.desk.call('toolCall', { sessionId: session.id, toolUseId }, phone);
  const changes = () => scene.desk.call('changes', { sessionId: session.id }, phone);
  return { ...scene, session, process, used, returned, agentPath, call, changes };
}

it('shows the input and result of a tool call', async () => {
  const { used, returned, call } = await startRecorded();
  used('toolu_1', 'Bash', { command: 'ls', description: 'List' });
  returned('toolu_1', [{ type: 'text', text: 'a.txt\r\nb\u001b[0m' }], { is_error: true });

  expect(await call('toolu_1')).toEqual({
    what: { type: 'command', command: 'ls', more: { description: 'List' } },
    result: 'a.txt\nb\\u{1b}[0m',
    isError: true,
  });
});

it('shows what a file contained before a call has replaced it', async () => {
  const { used, returned, call } = await startRecorded();
  used('toolu_1', 'Write', { file_path: '/p/a.txt', content: 'new' });
  returned('toolu_1', 'ok', { toolUseResult: { filePath: '/p/a.txt', originalFile: 'old' } });

  expect(await call('toolu_1')).toMatchObject({ what: { type: 'edit', before: 'old', after: 'new' } });
});

it('says that a call changes nothing only if it shows all of both texts', async () => {
  const { used, call } = await startRecorded({
    redactor: createRedactor({ FIRST_TOKEN: 'hunter2-hunter2-A', SECOND_TOKEN: 'hunter2-hunter2-B' }),
  });
  const long = (middle: string): string => `${'a'.repeat(100_000)}${middle}${'b'.repeat(100_000)}`;
  const edits = [
    ['same', 'same'],
    [long('x'), long('y')],
    ['use hunter2-hunter2-A', 'use hunter2-hunter2-B'],
  ];
  for (const [index, [from, to]] of edits.entries())
    used(`toolu_${index}`, 'Edit', { file_path: '/p/a.txt', old_string: from, new_string: to });

  const whats = await Promise.all(edits.map(async (_, index) => (await call(`toolu_${index}`)).what));

  expect(whats.map((what) => what?.type === 'edit' && [what.before === what.after, what.isSame])).toEqual([
    [true, true],
    [true, undefined],
    [true, undefined],
  ]);
});

it('finds the calls of subagents, and says if a call is not on record', async () => {
  const { used, call, agentPath } = await startRecorded();
  used('toolu_main', 'Read', { file_path: '/p/a' });
  used('toolu_sub', 'Grep', { pattern: 'x' }, agentPath);

  expect([await call('toolu_sub'), await call('toolu_none')]).toEqual([
    { what: { type: 'input', input: { pattern: 'x' } }, result: undefined, isError: false },
    {
      what: undefined,
      result: undefined,
      isError: false,
      note: 'This call is not in the transcript of the session.',
    },
  ]);
});

it('shows a call that waits for an answer before the transcript has it', async () => {
  const { process, call } = await startRecorded();
  void process.ask({ toolUseId: 'toolu_open', input: { command: 'make' } });

  expect(await call('toolu_open')).toMatchObject({ what: { type: 'command', command: 'make' } });
});

it('shortens long texts and says so', async () => {
  const { used, returned, call } = await startRecorded();
  used('toolu_1', 'Bash', { command: 'yes' });
  returned('toolu_1', 'y\n'.repeat(100_000));

  const { result, note } = await call('toolu_1');

  expect(result).toHaveLength(100_000);
  expect(note).toMatch(/truncated/);
});

it('redacts secrets in calls and changed files', async () => {
  const secret = 'hunter2-hunter2-hunter2';
  const { used, returned, call, changes, project } = await startRecorded({ redactor: redactorOf(secret) });
  const path = join(project, 'a.txt');
  writeFileSync(path, `now ${secret}`);
  used('toolu_1', 'Bash', { command: `echo ${secret}` });
  returned('toolu_1', secret, { toolUseResult: { filePath: path, originalFile: `was ${secret}` } });

  const shown = JSON.stringify([await call('toolu_1'), await changes()]);

  expect(shown).toContain('was [redacted]');
  expect(shown).toContain('now [redacted]');
  expect(shown).not.toContain(secret);
});

it('shows each changed file before its first change and now, those of subagents too', async () => {
  const { returned, changes, project, agentPath } = await startRecorded();
  const [edited, created, removed, ofAgent] = ['edited', 'created', 'removed', 'agent'].map((name) =>
    join(project, name),
  ) as [string, string, string, string];
  returned('t1', 'ok', { toolUseResult: { filePath: edited, originalFile: 'first' } });
  returned('t2', 'ok', { toolUseResult: { filePath: created, originalFile: null } });
  returned('t3', 'ok', { toolUseResult: { filePath: edited, originalFile: 'second' } });
  returned('t4', 'ok', { toolUseResult: { filePath: removed, originalFile: 'was here' } });
  returned('t5', 'ok', { toolUseResult: { filePath: ofAgent, originalFile: 'before' } }, agentPath);
  writeFileSync(edited, 'third');
  writeFileSync(created, 'new');
  writeFileSync(ofAgent, 'after');
  rmSync(removed, { force: true });

  expect((await changes()).files).toEqual([
    { path: edited, before: 'first', after: 'third' },
    { path: created, before: undefined, after: 'new' },
    { path: removed, before: 'was here', after: undefined },
    { path: ofAgent, before: 'before', after: 'after' },
  ]);
});

it('shows what a subagent has read as the original of a file that it changed', async () => {
  const { used, returned, changes, project, agentPath } = await startRecorded();
  const [edited, made, denied] = ['edited', 'made', 'denied'].map((name) => join(project, name)) as [
    string,
    string,
    string,
  ];
  returned('main', 'ok');
  const agentUsed = (id: string, name: string, input: object): void => used(id, name, input, agentPath);
  const agentGot = (id: string, content: string, more: object = {}): void =>
    returned(id, content, more, agentPath);
  agentUsed('t1', 'Read', { file_path: edited });
  agentGot('t1', '1\tone\n2\ttwo\n3\t\n\n<system-reminder>Mind this.</system-reminder>');
  agentUsed('t2', 'Edit', { file_path: edited, old_string: 'two', new_string: 'three' });
  agentGot('t2', 'The file has been updated successfully.');
  agentUsed('t3', 'Edit', { file_path: edited, old_string: 'three', new_string: 'four' });
  agentGot('t3', 'The file has been updated successfully.');
  agentUsed('t4', 'Write', { file_path: made, content: 'sub' });
  agentGot('t4', `File created successfully at: ${made}`);
  agentUsed('t5', 'Write', { file_path: denied, content: 'no' });
  agentGot('t5', 'denied', { is_error: true });
  writeFileSync(edited, 'one\nfour\n');
  writeFileSync(made, 'sub');

  expect((await changes()).files).toEqual([
    { path: edited, before: 'one\ntwo\n', after: 'one\nfour\n' },
    { path: made, before: undefined, after: 'sub' },
  ]);
});

it.each([
  ['a part', { offset: 2 }, '2\ttwo'],
  ['a file that may be longer', {}, Array.from({ length: 2_000 }, (_, at) => `${at + 1}\tx`).join('\n')],
  ['a line that may be longer', {}, `1\t${'x'.repeat(2_000)}`],
  ['something else', {}, 'The file is unchanged since the last read.'],
])('shows a file without the edits of a subagent that has read %s', async (_what, input, content) => {
  const { used, returned, changes, project, agentPath } = await startRecorded();
  const path = join(project, 'edited');
  returned('main', 'ok');
  used('t1', 'Read', { file_path: path, ...input }, agentPath);
  returned('t1', content, {}, agentPath);
  used('t2', 'Edit', { file_path: path, old_string: 'two', new_string: 'three' }, agentPath);
  returned('t2', 'The file has been updated successfully.', {}, agentPath);
  const toolUseResult = { filePath: path, originalFile: 'x', oldString: 'three', newString: 'four' };
  returned('t3', 'ok', { toolUseResult });
  writeFileSync(path, 'one four');

  expect((await changes()).files).toEqual([
    {
      path,
      before: 'one two',
      after: 'one four',
      note: 'The text before the change was not recorded. This compares the current text with and without the edits of the session.',
    },
  ]);
});

it.each([
  ['Write', { content: 'three' }],
  ['Edit', { old_string: 'two', new_string: 'three', replace_all: true }],
  ['Edit', { old_string: 'two', new_string: 'no longer there' }],
])('says that the original is not on record after %s with %j', async (name, input) => {
  const { used, returned, changes, project, agentPath } = await startRecorded();
  const path = join(project, 'edited');
  returned('main', 'ok');
  used('t1', name, { file_path: path, ...input }, agentPath);
  returned('t1', 'The file has been updated successfully.', {}, agentPath);
  writeFileSync(path, 'three');

  expect((await changes()).files).toEqual([
    { path, before: undefined, after: 'three', note: 'The text before the change was not recorded.' },
  ]);
});

it('says what it cannot show of a changed file', async () => {
  const { returned, changes, project } = await startRecorded();
  const unknown = join(project, 'unknown');
  writeFileSync(unknown, 'now');
  returned('t1', 'ok', { toolUseResult: { filePath: '/etc/hostname', originalFile: 'x' } });
  returned('t2', 'ok', { toolUseResult: { filePath: unknown, originalFile: 5 } });

  expect((await changes()).files).toMatchObject([
    { path: '/etc/hostname', before: 'x', after: undefined, note: expect.stringMatching(/outside/) },
    { path: unknown, before: undefined, after: 'now', note: 'The text before the change was not recorded.' },
  ]);
});

it('looks for the original of a file no longer than a moment', async () => {
  const { used, returned, changes, project, agentPath } = await startRecorded();
  const path = join(project, 'edited');
  const long = `${'x'.repeat(2_000_000)}${Array.from({ length: 27 }, (_, at) => `<${at}>`).join('')}`;
  const edit = (id: string, old_string: string, new_string: string): void => {
    used(id, 'Edit', { file_path: path, old_string, new_string }, agentPath);
    returned(id, 'The file has been updated successfully.', {}, agentPath);
  };
  returned('main', 'ok');
  for (let at = 0; at < 27; at += 1) edit(`t${at}`, 'y', `<${at}>`);
  edit('last', long, 'short');
  writeFileSync(path, 'short');

  expect((await changes()).files).toEqual([
    { path, before: undefined, after: 'short', note: 'The text before the change was not recorded.' },
  ]);
});

it('keeps what two calls read of changes in memory at most', async () => {
  const { manager, session, returned } = await startRecorded();
  returned('t1', 'ok', { toolUseResult: { filePath: '/p/a.txt', originalFile: 'old' } });
  const { transcripts } = manager.controls;
  let [now, most, done] = [0, 0, 0];

  const calls = Array.from({ length: 8 }, () =>
    transcripts.withChanges(session.id, async (files) => {
      now += 1;
      most = Math.max(most, now);
      await transcripts.output(session.id);
      now -= 1;
      done += files.length;
    }),
  );
  await Promise.all(calls);

  expect({ most, done }).toEqual({ most: 2, done: 8 });
});
