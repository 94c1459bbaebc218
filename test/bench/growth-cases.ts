/** What is done to ever more events, waits, sessions and records, in process and with a fake Claude Code. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Permits } from '../../src/session/services/permits.js';
import { Slots } from '../../src/session/services/slots.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import type { AnswerJson } from '../kit/answer-json.js';
import { plainCaller, toolContext } from '../kit/callers.js';
import { createFakeManager } from '../kit/fake-manager.js';
import { answerText } from '../kit/view-text.js';

const EVENTS_PER_POLL = 100;
const WAIT_MS = 40_000;

type Scene = Awaited<ReturnType<typeof open>>;

interface Prepared {
  readonly act: () => Promise<unknown>;
  readonly end: () => Promise<void>;
}

/** All events of a turn arrive, and a caller reads them in small portions. */
export async function eventsOf(root: string, count: number): Promise<Prepared> {
  const scene = await open(root);
  const { sessionId, process } = await start(scene);
  const act = async (): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      process.event({ type: 'text', text: `line ${index}` });
      if (index % EVENTS_PER_POLL === 0) await poll(scene, sessionId, Math.max(0, index - 10));
    }
  };
  return { act, end: scene.close };
}

/** Many callers wait for the same session, and one event ends all of their waits. */
export async function waitsOf(root: string, count: number): Promise<Prepared> {
  const scene = await open(root);
  const { sessionId, process } = await start(scene);
  const act = async (): Promise<void> => {
    const waits = Array.from({ length: count }, () =>
      scene.call('claude_code_check', { sessionId, waitMs: WAIT_MS }),
    );
    await new Promise(setImmediate);
    process.result();
    await Promise.all(waits);
  };
  return { act, end: scene.close };
}

/** Sessions start, and a caller looks at each of them. */
export async function sessionsOf(root: string, count: number): Promise<Prepared> {
  const scene = await open(root);
  const act = async (): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const { sessionId } = await start(scene);
      await poll(scene, sessionId, 0);
    }
  };
  return { act, end: scene.close };
}

/** A poll of one session, beside many others. */
export async function pollOf(root: string, count: number): Promise<Prepared> {
  const scene = await open(root);
  for (let index = 0; index < count; index += 1) await start(scene);
  const { sessionId } = await start(scene);
  return { act: () => poll(scene, sessionId, 0), end: scene.close };
}

/** A server that has just started lists the newest of the sessions on record. */
export async function recordsOf(root: string, count: number): Promise<Prepared> {
  const { sessionId, journal } = await oneRecord(`${root}-origin`);
  const folder = join(root, 'state', 'sessions');
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const id = scatteredId(index);
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, journal.replaceAll(sessionId, id));
    // In another order than the names, so that sorting them is not easier than usual.
    const seconds = (index * 7_919) % count;
    utimesSync(path, seconds, seconds);
  }
  const scene = await open(root);
  const act = async (): Promise<void> => {
    const { sessions = [] } = await scene.call('claude_code_session', { action: 'list' });
    if (sessions.length !== Math.min(count, 20)) throw new Error('the list is not the expected one');
  };
  return { act, end: scene.close };
}

async function oneRecord(root: string): Promise<{ readonly sessionId: string; readonly journal: string }> {
  const scene = await open(root);
  const { sessionId, process } = await start(scene);
  process.result();
  await scene.close();
  return { sessionId, journal: readFileSync(join(root, 'state', 'sessions', `${sessionId}.jsonl`), 'utf8') };
}

/** The same in every run. */
function scatteredId(index: number): string {
  const hex = createHash('sha256').update(String(index)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function open(root: string) {
  const scene = await createFakeManager({ root, slots: new Slots(20_000), permits: new Permits(20_000) });
  const call = async (name: string, args: Record<string, unknown>): Promise<AnswerJson> => {
    const tool = asyncTools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`unknown tool: ${name}`);
    const deps = { sessions: scene.manager, maxWaitMs: WAIT_MS, words: tool.vocabulary };
    return JSON.parse(answerText(await tool.parse(args)(deps, toolContext()))) as AnswerJson;
  };
  return { ...scene, call, close: () => scene.manager.shutdown() };
}

async function start({ manager, backend }: Scene) {
  const index = backend.processes.length;
  const started = manager.start('go', {}, plainCaller);
  const process = await backend.process(index);
  await process.prompt(0);
  process.init();
  return { sessionId: (await started).id, process };
}

function poll({ call }: Scene, sessionId: string, cursor: number): Promise<AnswerJson> {
  return call('claude_code_check', { sessionId, cursor, waitMs: 0, include: ['events'] });
}
