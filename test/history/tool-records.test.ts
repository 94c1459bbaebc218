import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordedChange } from '../../src/history/agent-calls.js';
import { readChanges } from '../../src/history/tool-records.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const million = 'a'.repeat(1_000_000);

function edited(filePath: string, oldString: string, more: object = {}): string {
  const toolUseResult = { filePath, originalFile: undefined, oldString, newString: 'b', ...more };
  return `${JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', toolUseResult })}\n`;
}

function charsOf(changes: readonly RecordedChange[]): number {
  const texts = changes.flatMap(({ path, edits = [] }) => [path, ...edits.map(({ before }) => before)]);
  return texts.reduce((sum, text) => sum + text.length, 0);
}

describe('an agent that writes to its own transcript', () => {
  it.each([
    ['edits', (index: number) => edited(`/srv/${index % 20}`, million, { originalFile: 1 })],
    ['long paths', (index: number) => edited(`/srv/${index}${million}`, 'a', { originalFile: 'a' })],
  ])('fills no memory with %s', async (_what, line) => {
    const path = join(temporaryFolder(), 'session.jsonl');
    writeFileSync(path, edited('/srv/first', 'before', { originalFile: 1 }));
    for (let index = 0; index < 55; index += 1) appendFileSync(path, line(index));

    const changes = await readChanges(path);

    expect(changes[0]).toMatchObject({ path: '/srv/first', edits: [{ before: 'before', after: 'b' }] });
    expect(charsOf(changes)).toBeLessThan(50_000_000);
  });

  it('fills no memory with the texts that a subagent has read', async () => {
    const folder = temporaryFolder();
    const agents = join(folder, 'session', 'subagents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(folder, 'session.jsonl'), '');
    const file = join(agents, 'agent-1.jsonl');
    const write = (...content: readonly object[]): void =>
      appendFileSync(file, `${JSON.stringify({ message: { content } })}\n`);
    const call = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input });
    const result = (id: string, content: string): object => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
    });
    const text = Array.from({ length: 1_000 }, (_, index) => `${index + 1}\t${'a'.repeat(1_000)}`).join('\n');
    for (let index = 0; index < 51; index += 1) {
      write(call(`r${index}`, 'Read', { file_path: `/srv/${index}` }), result(`r${index}`, text));
    }
    for (const index of [0, 50]) {
      const input = { file_path: `/srv/${index}`, old_string: 'a', new_string: 'b' };
      write(call(`e${index}`, 'Edit', input), result(`e${index}`, 'Done.'));
    }

    const changes = await readChanges(join(folder, 'session.jsonl'));

    expect(changes.map(({ path, original }) => [path, typeof original])).toEqual([
      ['/srv/0', 'string'],
      ['/srv/50', 'undefined'],
    ]);
  });
});
