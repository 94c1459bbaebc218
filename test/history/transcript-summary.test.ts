import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { assert, asyncProperty, nat, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noFacts } from '../../src/history/transcript-lines.js';
import { SummaryReader } from '../../src/history/transcript-summary.js';
import { put, tempHome } from './support/temp-home.js';
import { line, promptLine, titleLine } from './support/transcripts.js';

const cwd = '/work/project';

/** As long as what Claude Code writes about itself. */
const ballast = (bytes: number): string => line({ type: 'api-request-shape', shape: 'x'.repeat(bytes) });

async function summaryOf(content: string | Buffer) {
  const { root } = tempHome();
  const path = await put(join(root, 'transcript.jsonl'), content as string);
  return new SummaryReader().read(path, Buffer.byteLength(content));
}

describe('the summary of a transcript', () => {
  it('contains folder, first prompt and origin', async () => {
    const first = promptLine({ cwd, prompt: 'fix the build', entrypoint: 'cli' });
    const later = promptLine({ cwd: '/elsewhere', prompt: 'and now the docs', entrypoint: 'sdk-ts' });

    expect(await summaryOf(first + later)).toEqual({
      ...noFacts(),
      cwd,
      firstPrompt: 'fix the build',
      origin: 'terminal',
    });
  });

  it('treats every other entry point as a program, and a missing one as unknown', async () => {
    const old = line({ type: 'user', message: { content: 'hello' }, cwd });

    expect(await summaryOf(promptLine({ entrypoint: 'sdk-cli' }))).toMatchObject({ origin: 'program' });
    expect(await summaryOf(old)).toMatchObject({ firstPrompt: 'hello', origin: undefined });
  });

  it('skips prompts that nobody typed', async () => {
    const said = (content: unknown, more = {}) => line({ type: 'user', message: { content }, cwd, ...more });
    const content =
      said('about the session', { isMeta: true }) +
      said('a subagent', { isSidechain: true }) +
      said('the story so far', { isCompactSummary: true }) +
      said('<command-name>/init</command-name>') +
      said([{ type: 'tool_result', content: 'no' }]) +
      said([
        { type: 'text', text: '<system-reminder>no</system-reminder>' },
        { type: 'text', text: '<attached_file path="a.txt" id="1">\nno\n</attached_file id="1">' },
        { type: 'text', text: '<task>do it</task>' },
      ]);

    expect(await summaryOf(content)).toMatchObject({
      firstPrompt: '<task>do it</task>',
      firstCommand: '/init',
    });
  });

  it('contains the last title, however far from the beginning', async () => {
    const content = titleLine('first') + promptLine() + ballast(116_000) + titleLine('renamed');

    expect(await summaryOf(content)).toMatchObject({ customTitle: 'renamed' });
    expect(await summaryOf(promptLine() + titleLine('short file'))).toMatchObject({
      customTitle: 'short file',
    });
    expect(await summaryOf(promptLine() + line({ type: 'ai-title', aiTitle: 'made up' }))).toMatchObject({
      aiTitle: 'made up',
    });
  });

  it('contains a prompt of a mebibyte of any characters, and the folder after it', async () => {
    const prompt = `begin ${'漢'.repeat(1_000_000)}`;
    const content = line({ type: 'queue-operation', content: prompt }) + promptLine({ prompt });

    expect(await summaryOf(content)).toMatchObject({ cwd, firstPrompt: prompt });
  });

  it('ignores an unfinished line', async () => {
    const content = promptLine() + '{"type":"custom-title","customTitle":"half';

    expect(await summaryOf(content)).toMatchObject({ firstPrompt: 'hello', customTitle: undefined });
  });

  it('continues after damaged lines', async () => {
    expect(await summaryOf(`}{\n\n\u0000\nnull\n7\n[]\n${promptLine()}`)).toMatchObject({ cwd });
  });
});

describe('no summary exists for', () => {
  it.each([
    ['an empty file', ''],
    ['a file with half a line', promptLine().slice(0, 40)],
    ['binary data', Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80, 0x0a])],
    ['a file without a folder', line({ type: 'user', message: { content: 'hello' } })],
    ['a relative folder', promptLine({ cwd: '../up' })],
  ])('%s', async (_name, content) => {
    expect(await summaryOf(content)).toBeUndefined();
  });

  it('a file that was deleted, truncated or replaced by a link', async () => {
    const { root } = tempHome();
    const real = await put(join(root, 'real.jsonl'), promptLine());
    await symlink(real, join(root, 'link.jsonl'));
    const read = (path: string, bytes: number) => new SummaryReader().read(path, bytes);

    expect(await read(join(root, 'gone.jsonl'), 10)).toBeUndefined();
    expect(await read(join(root, 'link.jsonl'), 10)).toBeUndefined();
    expect(await read(real, 1_000_000)).toMatchObject({ cwd });
  });
});

it('reads any bytes without failing, and uses complete lines only', async () => {
  const { root } = tempHome();
  const whole = Buffer.from(promptLine({ prompt: 'first' }) + titleLine('named') + ballast(20_000));
  await assert(
    asyncProperty(nat(whole.length), uint8Array({ maxLength: 200 }), async (cut, noise) => {
      const content = Buffer.concat([whole.subarray(0, cut), noise]);
      const path = await put(join(root, 'any.jsonl'), content as unknown as string);

      const summary = await new SummaryReader().read(path, content.length);

      expect([undefined, 'first']).toContain(summary?.firstPrompt);
      expect([undefined, 'named']).toContain(summary?.customTitle);
    }),
    { numRuns: 100 },
  );
});
