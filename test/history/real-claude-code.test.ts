import { randomUUID } from 'node:crypto';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { expect, it, onTestFinished } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { findLiveOwner } from '../../src/history/live-owner.js';
import { findTranscript, hasForeignTurns, markTranscript } from '../../src/history/transcript.js';
import { startTimeOf } from '../../src/platform/processes.js';
import { startBareSession, type BareSession } from '../kit/bare-session.js';
import { startBackstage } from '../kit/fixture.js';

const TIMEOUT_MS = 30_000;

it(
  'distinguishes turns of another process from what an idle process writes',
  { timeout: TIMEOUT_MS },
  async () => {
    const { claudeHome, cwd, start } = await prepare();
    const sessionId = randomUUID();
    const session = start({ sessionId });
    const ours = new Set<string>();
    const isOurs = (uuid: string) => ours.has(uuid);
    await turn(session, 'first', ours);
    const path = await findTranscript(claudeHome, sessionId, cwd);
    let mark = await markTranscript(path ?? '');

    for (const prompt of ['second', 'third', 'fourth']) {
      await turn(session, prompt, ours);
      expect(await hasForeignTurns(present(mark), isOurs)).toBe(false);
      expect(await hasForeignTurns(present(mark), () => false)).toBe(true);
      mark = await markTranscript(path ?? '');
      expect(await hasForeignTurns(present(mark), () => false)).toBe(false);
    }

    await start({ resume: sessionId }).turn('from elsewhere');
    expect(await hasForeignTurns(present(mark), isOurs)).toBe(true);
  },
);

it('finds a live session by its registry entry, and its transcript', { timeout: TIMEOUT_MS }, async () => {
  const { claudeHome, start } = await prepare({ chosenDir: 'elsewhere' });
  const sessionId = randomUUID();
  const session = start({ sessionId });
  const pid = await pidOf(session);
  await session.turn('hello');
  const question = { claudeHome, claudeSessionId: sessionId, startTimeOf };

  expect(await findLiveOwner({ ...question, ownPids: new Set() })).toEqual({ pid });
  expect(await findLiveOwner({ ...question, ownPids: new Set([pid]) })).toBeUndefined();
  expect(await findTranscript(claudeHome, sessionId)).toBeDefined();
  await expect(access(claudeHome.stateFile)).resolves.toBeUndefined();
});

it('ignores the entry of a killed process', { timeout: TIMEOUT_MS }, async () => {
  const { claudeHome, start } = await prepare();
  const sessionId = randomUUID();
  const session = start({ sessionId });
  const pid = await pidOf(session);
  await session.turn('hello');
  process.kill(pid, 'SIGKILL');

  const question = { claudeHome, claudeSessionId: sessionId, ownPids: new Set<number>(), startTimeOf };
  await expect.poll(() => findLiveOwner(question)).toBeUndefined();

  await expect(access(join(claudeHome.sessionsDir, `${pid}.json`))).resolves.toBeUndefined();
});

async function prepare({ chosenDir }: { chosenDir?: string } = {}) {
  const { model, sandbox } = await startBackstage();
  const { root, home } = sandbox;
  const cwd = join(root, 'my project_1');
  await mkdir(cwd);
  const configDir = chosenDir === undefined ? undefined : join(root, chosenDir);
  const { CLAUDE_CONFIG_DIR: _default, ...env } = sandbox.env(model);
  const start = (options: Options): BareSession => {
    const session = startBareSession({
      cwd,
      settingSources: ['user'],
      env: { ...env, ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }) },
      ...options,
    });
    // Its files can be removed only after it has ended.
    onTestFinished(async () => {
      session.end();
      await session.ended;
    });
    return session;
  };
  return { cwd, start, claudeHome: resolveClaudeHome({ home, configDir }) };
}

/** One turn; adds the ids of the prompt and of all messages to `uuids`. */
async function turn(session: BareSession, prompt: string, uuids: Set<string>): Promise<void> {
  for (const uuid of (await session.turn(prompt)).user_message_uuids ?? []) uuids.add(uuid);
  for (const { uuid } of session.messages) if (uuid !== undefined) uuids.add(uuid);
}

async function pidOf(session: BareSession): Promise<number> {
  const initialization: object = await session.query.initializationResult();
  if ('pid' in initialization && typeof initialization.pid === 'number') return initialization.pid;
  throw new Error('Claude Code did not tell its pid');
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing there');
  return value;
}
