import { randomUUID } from 'node:crypto';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { findLiveOwner } from '../../src/history/live-owner.js';
import { findTranscript, hasForeignTurns, markTranscript } from '../../src/history/transcript.js';
import { startTimeOf } from '../../src/platform/processes.js';
import { type ClaudeSetup, resumeOnce, startSession } from './support/claude-session.js';
import { startScriptedModel } from './support/scripted-model.js';
import { tempHome } from './support/temp-home.js';

const TIMEOUT_MS = 30_000;

it('tells turns of another process from what an idle process writes', { timeout: TIMEOUT_MS }, async () => {
  const { setup, claudeHome } = await prepare();
  const sessionId = randomUUID();
  const session = await startSession(setup, { sessionId });
  const isOurs = (uuid: string) => session.uuids.has(uuid);
  await session.turn('first');
  const path = await findTranscript(claudeHome, sessionId, setup.cwd);
  let mark = await markTranscript(path ?? '');

  for (const prompt of ['second', 'third', 'fourth']) {
    await session.turn(prompt);
    expect(await hasForeignTurns(present(mark), isOurs)).toBe(false);
    expect(await hasForeignTurns(present(mark), () => false)).toBe(true);
    mark = await markTranscript(path ?? '');
    expect(await hasForeignTurns(present(mark), () => false)).toBe(false);
  }

  await resumeOnce(setup, sessionId, 'from elsewhere');
  expect(await hasForeignTurns(present(mark), isOurs)).toBe(true);
});

it('knows a live session by its registry entry, and where it is kept', { timeout: TIMEOUT_MS }, async () => {
  const { setup, claudeHome } = await prepare({ chosenDir: 'elsewhere' });
  const sessionId = randomUUID();
  const session = await startSession(setup, { sessionId });
  await session.turn('hello');
  const question = { claudeHome, claudeSessionId: sessionId, startTimeOf };

  expect(await findLiveOwner({ ...question, ownPids: new Set() })).toEqual({ pid: session.pid });
  expect(await findLiveOwner({ ...question, ownPids: new Set([session.pid]) })).toBeUndefined();
  expect(await findTranscript(claudeHome, sessionId)).toBeDefined();
  await expect(access(claudeHome.stateFile)).resolves.toBeUndefined();
});

it('is not misled by the entry of a killed process', { timeout: TIMEOUT_MS }, async () => {
  const { setup, claudeHome } = await prepare();
  const sessionId = randomUUID();
  const session = await startSession(setup, { sessionId });
  const { pid } = session;
  await session.turn('hello');
  process.kill(pid, 'SIGKILL');

  const question = { claudeHome, claudeSessionId: sessionId, ownPids: new Set<number>(), startTimeOf };
  await expect.poll(() => findLiveOwner(question)).toBeUndefined();

  await expect(access(join(claudeHome.sessionsDir, `${pid}.json`))).resolves.toBeUndefined();
});

async function prepare({ chosenDir }: { chosenDir?: string } = {}) {
  const { root } = await tempHome();
  const home = join(root, 'home');
  const cwd = join(root, 'my project_1');
  await Promise.all([mkdir(home), mkdir(cwd)]);
  const configDir = chosenDir === undefined ? undefined : join(root, chosenDir);
  const setup: ClaudeSetup = {
    modelUrl: await startScriptedModel(),
    home,
    cwd,
    ...(configDir !== undefined && { configDir }),
  };
  return { setup, claudeHome: resolveClaudeHome({ home, configDir }) };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing there');
  return value;
}
