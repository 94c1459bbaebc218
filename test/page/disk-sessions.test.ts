import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainPolicy } from '../kit/policy.js';
import { redactorOf } from '../kit/redactors.js';
import type { ManagerSceneOptions } from '../sessions/manager-scene.js';
import { createDeskScene, phone, StreamPage } from './desk-scene.js';

const id = '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04';
const readable: ManagerSceneOptions = { policy: { ...plainPolicy, history: 'read', allowDiskResume: true } };

/** A session that someone has had in a terminal. Each line is a second later than the line before it. */
async function startOnDisk(lines: readonly object[], options = readable) {
  const scene = await createDeskScene(options);
  const path = join(scene.claudeHome.projectsDir, 'project', `${id}.jsonl`);
  let second = 0;
  const put = (file: string, line: object): void => {
    mkdirSync(dirname(file), { recursive: true });
    const timestamp = new Date((second += 1) * 1_000).toISOString();
    const common = { uuid: id, cwd: scene.project, entrypoint: 'cli', sessionId: id, timestamp };
    appendFileSync(file, `${JSON.stringify({ ...common, ...line })}\n`);
  };
  for (const line of lines) put(path, line);
  const agentPath = join(dirname(path), id, 'subagents', 'agent-a1.jsonl');
  const events = (before: number, limit: number) =>
    scene.desk.call('events', { sessionId: id, before, limit }, phone);
  return { ...scene, put, path, agentPath, events };
}

const asked = (content: string) => ({ type: 'user', message: { role: 'user', content } });
const said = (...content: readonly object[]) => ({
  type: 'assistant',
  message: { role: 'assistant', content },
});
const returned = (toolUseId: string, content: string, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUseId, content, ...more }] },
  ...more,
});
const text = (words: string) => ({ type: 'text', text: words });
const called = (toolUseId: string, name: string, input: object) => ({
  type: 'tool_use',
  id: toolUseId,
  name,
  input,
});

describe('a session on disk', () => {
  it('shows all that happened: prompts, thinking, texts, calls with results, and subagents', async () => {
    const scene = await startOnDisk([
      asked('fix it'),
      said({ type: 'thinking', thinking: 'Hm.' }, { type: 'thinking', thinking: '' }),
      { ...asked('<command-name>/model</command-name>') },
      said(text('I look.'), called('t1', 'Bash', { command: 'ls' })),
      returned('t1', 'a\r\nb\u001b[0m'),
      said(called('t2', 'Write', { file_path: '/p/a', content: 'x' })),
      returned('t2', 'No.', { is_error: true, permissionDecision: { decision: 'reject' } }),
    ]);
    scene.put(scene.agentPath, asked('look around'));
    scene.put(scene.agentPath, said(text('Seen.')));
    writeFileSync(scene.agentPath.replace('.jsonl', '.meta.json'), '{"agentType":"Explore"}');
    scene.put(scene.path, said(text('Done.')));

    const { events, dropped } = await scene.events(100, 50);

    expect(dropped).toBe(0);
    expect(events.map(({ seq, agent, body }) => [seq, agent, body])).toEqual([
      [1, undefined, { type: 'prompt', text: 'fix it' }],
      [2, undefined, { type: 'thinking', text: 'Hm.' }],
      [3, undefined, { type: 'text', text: 'I look.' }],
      [4, undefined, { type: 'tool_use', toolUseId: 't1', toolName: 'Bash', summary: 'Bash: ls' }],
      [5, undefined, result('t1', 'a\nb\\u{1b}[0m')],
      [6, undefined, { type: 'tool_use', toolUseId: 't2', toolName: 'Write', summary: 'Write: /p/a' }],
      [7, undefined, { ...result('t2', 'No.'), isError: true, isDenied: true }],
      [8, 'Explore', { type: 'text', text: 'Seen.' }],
      [9, undefined, { type: 'text', text: 'Done.' }],
    ]);
  });

  it.each([1_000, 6_000, 10_000])('shows what an agent has nested %d levels deep', async (levels) => {
    const scene = await startOnDisk([asked('fix it')]);
    const nested = (open: string, close: string): string =>
      `${open.repeat(levels)}"x"${close.repeat(levels)}`;
    // As a text, because nothing can turn so deep a value into one.
    const putNested = (line: object, inner: string): void =>
      appendFileSync(
        scene.path,
        `${JSON.stringify({ uuid: id, sessionId: id, timestamp: '1970-01-01T00:00:01.500Z', ...line }).replace('"@"', inner)}\n`,
      );
    putNested(said(called('t1', 'mcp__db__query', { command: 'drop', filter: '@' })), nested('{"a":', '}'));
    putNested(returned('t1', '@'), nested('[{"type":"tool_result","content":', '}]'));
    scene.put(scene.path, said(text('Done.')));

    const { events } = await scene.events(100, 50);
    const page = new StreamPage(scene.desk, { sessionId: id, after: 0 });
    const streamed = await page.nextOf('events');
    const call = await scene.desk.call('toolCall', { sessionId: id, toolUseId: 't1' }, phone);

    expect(events.map(({ body: { type } }) => type)).toEqual(['prompt', 'tool_use', 'tool_result', 'text']);
    expect(streamed.events).toEqual(events);
    expect(call).toMatchObject({ what: { type: 'input', input: { command: 'drop' } } });
  });

  it('is paged from the end, and the stream begins where the page says', async () => {
    const numbers = Array.from({ length: 500 }, (_, index) => String(index + 1));
    const { desk, events } = await startOnDisk(numbers.map((words) => said(text(words))));

    const { head, row } = await desk.call('session', { sessionId: id }, phone);
    const older = await events(301, 2);
    const first = await events(3, 10);
    const page = new StreamPage(desk, { sessionId: id, after: head - 200 });
    const streamed = await page.nextOf('events');

    expect([head, row.status]).toEqual([500, 'disk']);
    expect(older.events.map(({ seq }) => seq)).toEqual([299, 300]);
    expect(first.events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(streamed.events.map(({ seq }) => seq)).toEqual(numbers.slice(300).map(Number));
    expect(page.cursor).toBe(`${id}:500:disk`);
  });

  it.each([
    [150, [50, 200]],
    [450, [0, 200]],
  ])('shows a very long one without its first %d events, which are counted', async (passed, counts) => {
    const { desk, path, put } = await startOnDisk([said(text('first'))]);
    const line = JSON.stringify({ ...said(text('a')), uuid: id, timestamp: '1970-01-01T00:00:02.000Z' });
    appendFileSync(path, `${line}\n`.repeat(99_999 + passed));
    const page = new StreamPage(desk, { sessionId: id, after: 0 });
    await page.nextOf('inbox');

    const messages = [await page.nextOf('events'), await page.nextOf('events')];
    put(path, said(text('last')));
    const later = await new StreamPage(desk, { sessionId: id, after: 100_000 + passed }).nextOf('events');
    const across = await desk.call('events', { sessionId: id, before: passed + 4, limit: 100 }, phone);

    expect(messages.map(({ dropped, events }) => [dropped, events.length])).toEqual([
      [passed, counts[0]],
      [0, counts[1]],
    ]);
    expect(messages.flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual(
      Array.from({ length: (counts[0] ?? 0) + 200 }, (_, index) => passed + 1 + index),
    );
    expect(later.events.map(({ seq }) => seq)).toEqual([100_001 + passed]);
    expect(across.events.map(({ seq }) => seq)).toEqual([passed + 2, passed + 3]);
  });

  it('shows what was added since the page has read it', async () => {
    const { desk, put, path } = await startOnDisk([asked('fix it')]);
    await desk.call('session', { sessionId: id }, phone);
    put(path, said(text('Done.')));

    const { events } = await new StreamPage(desk, { sessionId: id, after: 1 }).nextOf('events');

    expect(events).toMatchObject([{ seq: 2, body: { type: 'text', text: 'Done.' } }]);
  });

  it('shortens long texts and masks secrets', async () => {
    const secret = 'hunter2-hunter2-hunter2';
    const lines = [said(text(`${secret} ${'y'.repeat(20_000)}`)), returned('t1', 'z'.repeat(3_000))];
    const scene = await startOnDisk(lines, { ...readable, redactor: redactorOf(secret) });

    const { events } = await scene.events(10, 10);
    const lengths = events.map(({ body }) => ('text' in body ? body.text.length : 0));

    expect(events.map(({ body }) => 'chars' in body && body.chars)).toEqual([expect.any(Number), 3_000]);
    expect(lengths[0]).toBeLessThanOrEqual(16_000);
    expect(lengths[1]).toBeLessThanOrEqual(2_000);
    expect(JSON.stringify(events)).toContain('[redacted]');
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('shows nothing of it if the operator does not let callers read it', async () => {
    const scene = await startOnDisk([asked('fix it')], {
      policy: { ...plainPolicy, history: 'list' },
    });

    const { events } = await scene.events(10, 10);
    const { head, notes } = await scene.desk.call('session', { sessionId: id }, phone);

    expect([events, head]).toEqual([[], 0]);
    expect(notes).toContainEqual(expect.stringContaining('CLAUDE_CODE_MCP_HISTORY'));
  });

  it('keeps its timeline when a person continues it here', async () => {
    const { desk, backend } = await startOnDisk([asked('fix it'), said(text('I look.'))]);
    const page = new StreamPage(desk, { sessionId: id });
    await page.nextOf('events');

    void desk.call('reply', { sessionId: id, prompt: 'go on', whenBusy: 'queue' }, phone);
    const process = await backend.process(0);
    await process.prompt(0);
    process.init();
    const again = await page.nextOf('events');

    expect(again.isReset).toBe(true);
    expect(again.events.slice(0, 3).map(({ seq, body }) => [seq, body])).toEqual([
      [0.001, { type: 'prompt', text: 'fix it' }],
      [0.002, { type: 'text', text: 'I look.' }],
      [0.003, { type: 'prompt', text: 'go on' }],
    ]);
  });
});

function result(toolUseId: string, output: string) {
  return { type: 'tool_result', toolUseId, isError: false, isDenied: false, text: output };
}
