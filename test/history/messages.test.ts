import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMessages } from '../../src/history/message-page.js';
import { put, tempHome } from './support/temp-home.js';

const at = '2026-01-01T00:00:00.000Z';
const line = (fields: object): string =>
  `${JSON.stringify({ uuid: randomUUID(), timestamp: at, ...fields })}\n`;
const said = (type: 'user' | 'assistant', content: unknown, more: object = {}): string =>
  line({ type, message: { role: type, content }, ...more });

async function read(lines: readonly string[], request: Partial<Parameters<typeof readMessages>[1]> = {}) {
  const { root } = tempHome();
  const path = await put(join(root, 'x.jsonl'), lines.join(''));
  return readMessages(path, { order: 'oldest', offset: 0, limit: 100, ...request });
}

it('keeps the ends of very long texts only, and of many at the same time', async () => {
  const long = said('user', `${'a'.repeat(3_000_000)}end`);
  const pages = await Promise.all(Array.from({ length: 6 }, () => read([long, said('assistant', 'short')])));

  const texts = pages.map(({ messages }) => messages.map(({ text }) => text));

  for (const [first = '', second] of texts) {
    expect(first).toMatch(/^a+ …\[\d+ characters hidden\]… a+end$/);
    expect([first.length <= 200_000, second]).toEqual([true, 'short']);
  }
});

it('names attached files without their content, and shows a prompt as it was written', async () => {
  const file = '<attached_file path="notes.md" id="1">\nline\n</attached_file id="1">';

  const { messages } = await read([
    said('user', [
      { type: 'text', text: file },
      { type: 'text', text: '<attached_file path="shot.png" type="image/png" />' },
      { type: 'image' },
      { type: 'text', text: 'look' },
    ]),
    said('user', [{ type: 'text', text: file }]),
    said('user', file),
    said('assistant', [
      { type: 'text', text: file },
      { type: 'text', text: 'so it says' },
    ]),
  ]);

  expect(messages.map(({ text }) => text)).toEqual([
    '<attached_file path="notes.md" id="1">\n<attached_file path="shot.png" type="image/png" />\n[image]\nlook',
    file,
    file,
    `${file}\nso it says`,
  ]);
});

it('distinguishes prompts, answers and tool results', async () => {
  const { messages, total } = await read([
    said('user', 'go'),
    said('assistant', [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', name: 'Read', id: 't', input: {} },
    ]),
    said('user', [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'found' }] }]),
    said('user', [{ type: 'text', text: 'see' }, { type: 'image' }]),
  ]);

  expect(total).toBe(4);
  expect(messages).toMatchObject([
    { role: 'user', text: 'go', tools: [], at },
    { role: 'assistant', text: 'I look.', tools: ['Read'] },
    { role: 'tool_result', text: 'found' },
    { role: 'user', text: 'see\n[image]' },
  ]);
});

it.each([
  ['subagents', said('assistant', 'aside', { isSidechain: true })],
  ['notes to the model', said('user', 'caveat', { isMeta: true })],
  ['commands of Claude Code itself', said('user', '<command-name>/model</command-name>')],
  ['what such a command said', said('user', '<local-command-stdout>Set model</local-command-stdout>')],
  [
    'the mark of an interruption',
    said('user', [{ type: 'text', text: '[Request interrupted by user for tool use]' }]),
  ],
  ['thinking alone', said('assistant', [{ type: 'thinking', thinking: 'hm' }])],
  ['bookkeeping', line({ type: 'cost-state', inner: { type: 'user' } })],
  ['what is no JSON', '{"type":"user"\n'],
  ['a message without a uuid of its own', said('user', 'x', { uuid: '../../etc' })],
  ['a line that is still being written', said('user', 'half').slice(0, -1)],
])('omits %s', async (_, other) => {
  const { messages, total } = await read([said('user', 'go'), other]);

  expect(total).toBe(1);
  expect(messages).toMatchObject([{ text: 'go' }]);
});

it.each(['<command-name>/x</command-name>', '[Request interrupted by user]'])(
  'keeps a prompt that only looks like a note of Claude Code: %s',
  async (words) => {
    const { messages } = await read([said('user', words, { promptSource: 'sdk' })]);

    expect(messages).toMatchObject([{ role: 'user', text: words }]);
  },
);

it.each([
  ['oldest', 0, 2, ['0', '1']],
  ['oldest', 4, 5, ['4']],
  ['newest', 0, 2, ['4', '3']],
  ['newest', 3, 5, ['1', '0']],
  ['newest', 9, 5, []],
] as const)('pages %s first, from %i, %i of them', async (order, offset, limit, texts) => {
  const lines = ['0', '1', '2', '3', '4'].map((word) => said('user', word));

  const { messages, total } = await read(lines, { order, offset, limit });

  expect(messages.map(({ text }) => text)).toEqual(texts);
  expect(total).toBe(5);
});

it('reads lines that are longer than one chunk, in any script', async () => {
  const long = 'ä\u2028🜁'.repeat(400_000);

  const { messages } = await read([said('user', long), said('assistant', 'short')]);
  const [first = '', second] = messages.map(({ text }) => text);

  expect([first.slice(0, 100), first.slice(-100), second]).toEqual([
    long.slice(0, 100),
    long.slice(-100),
    'short',
  ]);
  expect(first).not.toContain('\ufffd');
});

it('yields to other work while it reads a large transcript', async () => {
  const blob = line({ type: 'api-request-blob', text: 'x'.repeat(900_000) });
  const lines = Array.from({ length: 40 }, (_, index) => blob + said('user', String(index)));
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);

  const { messages, total } = await read(lines, { order: 'newest', limit: 1, offset: 39 });
  clearInterval(ticking);

  expect(messages).toMatchObject([{ text: '0' }]);
  expect(total).toBeUndefined();
  expect(turns).toBeGreaterThan(5);
});
