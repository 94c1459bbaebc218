import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { mask } from '../../src/core/observability/mask.js';
import type { ClaudeHome } from '../../src/history/claude-home.js';
import { SessionIndex } from '../../src/history/session-index.js';
import { createRedactor } from '../../src/observability/redact/redact.js';
import { put, tempHome } from './support/temp-home.js';
import { line, promptLine, putTranscript, titleLine } from './support/transcripts.js';

const secret = 'ghp_PLANTED0123456789abcdefghijABCDEF';

function indexOf(claudeHome: ClaudeHome): SessionIndex {
  return new SessionIndex(claudeHome, createRedactor({}));
}

async function describeAll(index: SessionIndex) {
  return index.describe((await index.find()).files);
}

it('describes a session well enough to choose one', async () => {
  const { claudeHome } = tempHome();
  await putTranscript(claudeHome, { cwd: '/a', prompt: 'fix it', entrypoint: 'cli', modifiedAt: 200 });
  await putTranscript(claudeHome, { cwd: '/b', prompt: 'go', title: 'nightly', modifiedAt: 100 });

  expect(await describeAll(indexOf(claudeHome))).toEqual([
    { cwd: '/a', title: undefined, firstPrompt: 'fix it', origin: 'terminal' },
    { cwd: '/b', title: 'nightly', firstPrompt: 'go', origin: 'program' },
  ]);
});

it('reads a file again only when its time or size has changed', async () => {
  const { claudeHome } = tempHome();
  const { path } = await putTranscript(claudeHome, { prompt: 'aaaa', modifiedAt: 100 });
  const index = indexOf(claudeHome);
  const firstPrompts = async () => (await describeAll(index)).map((session) => session?.firstPrompt);
  const text = await readFile(path, 'utf8');

  expect(await firstPrompts()).toEqual(['aaaa']);
  await writeFile(path, text.replace('aaaa', 'bbbb'));
  await utimes(path, 100, 100);
  expect(await firstPrompts()).toEqual(['aaaa']);
  await utimes(path, 101, 101);
  expect(await firstPrompts()).toEqual(['bbbb']);
  await appendFile(path, titleLine('named'));
  await utimes(path, 101, 101);
  expect((await describeAll(index))[0]?.title).toBe('named');
  await rm(path);
  expect(await firstPrompts()).toEqual([]);
});

it('remembers damaged files too, until they change', async () => {
  const { claudeHome } = tempHome();
  const { path } = await putTranscript(claudeHome, { content: promptLine().slice(0, 30) });
  const index = indexOf(claudeHome);

  expect(await describeAll(index)).toEqual([undefined]);
  await writeFile(path, promptLine());
  expect(await describeAll(index)).toMatchObject([{ firstPrompt: 'hello' }]);
});

it('redacts before it truncates, so that no part of a secret is left', async () => {
  const { claudeHome } = tempHome();
  const prompt = `${'x'.repeat(280)} ${secret} ${'y'.repeat(2_000)}`;
  await putTranscript(claudeHome, { prompt, title: `about ${secret}` });

  const [session] = await describeAll(indexOf(claudeHome));

  expect(session?.firstPrompt).toBe(`${'x'.repeat(280)} ${mask} ${'y'.repeat(2_000)}`.slice(0, 300));
  expect(session?.title).toBe(`about ${mask}`);
});

it('takes first prompt and origin from the prompt history when the transcript has none', async () => {
  const { claudeHome } = tempHome();
  const typed = randomUUID();
  const content = line({
    type: 'user',
    message: { content: '<command-name>/init</command-name>' },
    cwd: '/a',
  });
  await putTranscript(claudeHome, { sessionId: typed, cwd: '/a', content, modifiedAt: 200 });
  await putTranscript(claudeHome, { cwd: '/a', content, modifiedAt: 100 });
  const entry = (display: string) => line({ display, project: '/a', sessionId: typed });
  await put(claudeHome.historyFile, entry(`set it up with ${secret}`) + entry('later') + '{"display":"ha');

  expect(await describeAll(indexOf(claudeHome))).toEqual([
    { cwd: '/a', title: undefined, firstPrompt: `set it up with ${mask}`, origin: 'terminal' },
    { cwd: '/a', title: undefined, firstPrompt: '/init', origin: 'program' },
  ]);
});

it('takes no folder that is too long for a path, and no prompt of an id that is none', async () => {
  const { claudeHome } = tempHome();
  const endless = 'a'.repeat(5_000);
  const content = line({ type: 'system', cwd: `/${endless}` }) + line({ type: 'system', cwd: '/a' });
  const { sessionId } = await putTranscript(claudeHome, { cwd: '/a', content });
  const entry = (id: string) => line({ display: `of ${id.length}`, sessionId: id });
  await put(claudeHome.historyFile, entry(endless) + entry(sessionId));

  expect(await describeAll(indexOf(claudeHome))).toMatchObject([{ cwd: '/a', firstPrompt: 'of 36' }]);
});

it('reads prompts that are typed meanwhile, even after the file was replaced', async () => {
  const { claudeHome } = tempHome();
  const content = line({ type: 'system', cwd: '/a' });
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
  const entry = (sessionId: string) => line({ display: `of ${sessionId}`, sessionId });
  const index = indexOf(claudeHome);
  const wordsOf = async (sessionId: string) => {
    const { path } = await putTranscript(claudeHome, { sessionId, cwd: '/a', content });
    const [session] = await describeAll(index);
    await rm(path);
    return session?.firstPrompt;
  };

  await put(claudeHome.historyFile, entry(one));
  expect(await wordsOf(one)).toBe(`of ${one}`);
  await appendFile(claudeHome.historyFile, entry(two));
  expect(await wordsOf(two)).toBe(`of ${two}`);
  await writeFile(claudeHome.historyFile, entry(three));
  expect(await wordsOf(three)).toBe(`of ${three}`);
});

it.skipIf(process.platform === 'win32')(
  'does not wait for a pipe in place of the prompt history',
  async () => {
    const { claudeHome } = tempHome();
    await putTranscript(claudeHome, { cwd: '/a', prompt: 'fix it', entrypoint: 'cli' });
    execFileSync('mkfifo', [claudeHome.historyFile]);

    expect(await describeAll(indexOf(claudeHome))).toMatchObject([{ cwd: '/a', firstPrompt: 'fix it' }]);
  },
);
