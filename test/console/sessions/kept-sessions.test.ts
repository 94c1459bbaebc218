import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { composeKeptSessions } from '../../../src/app/state/kept-sessions.js';
import { createRedactor } from '../../../src/observability/redact/redact.js';
import { startTimeOf } from '../../../src/platform/processes.js';
import { Servers } from '../../../src/state/server-mark.js';
import { FolderLocks } from '../../../src/state/session-locks.js';
import { prepareStateFolder } from '../../../src/state/state-folder.js';
import { put, tempHome } from '../../history/support/temp-home.js';
import { line, putTranscript } from '../../history/support/transcripts.js';
import { FakeClock } from '../../kit/fake-clock.js';
import { plainRecord } from '../../kit/records.js';
import { openState } from '../../kit/state.js';
import { eventsOf, id } from './session-samples.js';

const claudeId = '9f000000-0000-4000-8000-000000000001';

async function createScene() {
  const { root, claudeHome } = tempHome();
  const stateDir = join(root, 'state');
  prepareStateFolder(stateDir);
  const state = await openState({ stateDir, clock: new FakeClock(), logger: { log: () => undefined } });
  // Windows removes no folder with open files.
  onTestFinished(() => state.events.close());
  return {
    stateDir,
    claudeHome,
    ...state,
    kept: composeKeptSessions({ stateDir, claudeHome, redactor: createRedactor({}) }),
  };
}

it('finds sessions by the ids of this server and of Claude Code, each once', async () => {
  const { records, claudeHome, kept } = await createScene();
  await records.save(plainRecord(id, { claudeSessionId: claudeId }));
  await putTranscript(claudeHome, { sessionId: claudeId, cwd: '/a', prompt: 'fix it' });
  const message = { type: 'user', uuid: id, cwd: '/b', message: { role: 'user', content: 'other' } };
  const other = await putTranscript(claudeHome, { cwd: '/b', content: line(message) });

  expect(await kept.idsLike('1b9d')).toEqual([id]);
  expect(await kept.idsLike('9F00')).toEqual([id]);
  expect(await kept.idsLike(other.sessionId)).toEqual([other.sessionId]);
  expect(await kept.onDisk(other.sessionId as never)).toMatchObject({
    cwd: '/b',
    messages: [{ role: 'user', text: 'other' }],
  });
});

it('shows what a server does, and that a turn ended with its server', async () => {
  const { records, events, kept } = await createScene();
  const own = await new Servers({ pid: process.ppid, startTimeOf }).own();
  const openTurn = { turn: 1, startedAt: 1, prompts: ['go'] };
  const log = eventsOf({ type: 'status', text: 'a' });
  await records.save(plainRecord(id, { status: 'running', openTurn, server: own }));
  events.keep(id, { read: () => ({ events: log }) }, 1);
  await events.flush();
  const live = await kept.recorded(id as never);

  await records.save(plainRecord(id, { status: 'running', openTurn, server: '999999999.0123456789abcdef' }));

  expect(live).toMatchObject({ serverPid: process.ppid, record: { status: 'running' }, events: log });
  expect(await kept.recorded(id as never)).toMatchObject({
    serverPid: undefined,
    record: { status: 'error' },
  });
});

it('leaves every file of the state folder as it is', async () => {
  const { stateDir, records, kept } = await createScene();
  await records.save(
    plainRecord(id, {
      status: 'running',
      openTurn: { turn: 1, startedAt: 1, prompts: ['go'] },
      server: '999999999.0123456789abcdef',
    }),
  );
  const locks = new FolderLocks({
    folder: join(stateDir, 'locks'),
    servers: new Servers({ pid: process.pid, startTimeOf }),
  });
  await locks.take(id);
  const before = filesIn(stateDir);

  await kept.list(undefined, 10);
  await kept.recorded(id as never);
  const owners = await kept.owners(id);

  expect(owners).toEqual({ holderPid: process.pid, claudePid: undefined });
  expect(before.length).toBeGreaterThan(2);
  expect(filesIn(stateDir)).toEqual(before);
});

it('does not take the Claude Code that a server keeps ready for that of a person', async () => {
  const { stateDir, claudeHome, kept } = await createScene();
  const { pid: ours } = spawnIdle();
  const servers = new Servers({ pid: process.pid, startTimeOf });
  await new FolderLocks({ folder: join(stateDir, 'locks'), servers }).take(id);
  const register = async (pid: number) =>
    put(
      join(claudeHome.sessionsDir, `${pid}.json`),
      JSON.stringify({ pid, sessionId: id, procStart: await startTimeOf(pid) }),
    );
  await register(ours);
  const resting = await kept.owners(id);

  await register(process.ppid);

  expect(resting).toEqual({ holderPid: process.pid, claudePid: undefined });
  expect(await kept.owners(id)).toEqual({ holderPid: process.pid, claudePid: process.ppid });
});

/** A child of this process that does nothing. */
function spawnIdle(): { readonly pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  return { pid: child.pid ?? 0 };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      return statSync(path).isFile() ? `${name}: ${readFileSync(path, 'utf8')}` : name;
    });
}
