/** What a soak does to a session at rest. Each operation leaves it at rest, and compares it with the expectation. */
import { randomUUID } from 'node:crypto';
import { agree, type SoakSession, type SoakWorld } from './soak-world.js';

type Operation = (world: SoakWorld, session: SoakSession) => Promise<void>;

async function talk(world: SoakWorld, session: SoakSession): Promise<void> {
  const task = world.task('talk');
  const { json } = await world.reply(session, task);
  world.ended(session, await world.rest(session, json), { answer: task.answer });
}

async function fail(world: SoakWorld, session: SoakSession): Promise<void> {
  const { json } = await world.reply(session, world.task('fail'));
  world.ended(session, await world.rest(session, json), { outcome: 'failed' });
}

async function ask(world: SoakWorld, session: SoakSession): Promise<void> {
  const task = world.task('write');
  const asked = await world.reply(session, task);
  const json = await world.rest(session, asked.json);
  agree([json.status, json.actions?.length], ['waiting', 1]);
  const requestId = json.actions?.[0]?.requestId;
  const decision = world.random.pick(['allow', 'deny']);
  const answered = await world.call('claude_code_respond', { requestId, decision, waitMs: 30_000 });
  world.ended(session, await world.rest(session, answered.json), { answer: task.answer });
  const again = await world.call('claude_code_respond', { requestId, decision });
  agree(again.text.includes(`already settled (decision: ${decision}`), true);
}

async function queue(world: SoakWorld, session: SoakSession): Promise<void> {
  const first = world.task('hold');
  const queued = [world.task('talk'), world.task('talk')].slice(world.random.below(2));
  await world.reply(session, first, { waitMs: 0 });
  const release = await world.held(first);
  const refused = await world.reply(session, world.task('talk'));
  agree(refused.text.startsWith('Error [SESSION_BUSY]'), true);
  for (const [index, task] of queued.entries()) {
    const { json } = await world.reply(session, task, { whenBusy: 'queue', waitMs: 0 });
    agree([json.status, json.queuedPrompts], ['running', index + 1]);
  }
  release();
  const { json } = await world.call('claude_code_check', { sessionId: session.id });
  const turns = 1 + queued.length;
  world.ended(session, await world.rest(session, json), { answer: queued.at(-1)?.answer ?? '', turns });
}

async function steer(world: SoakWorld, session: SoakSession): Promise<void> {
  const task = world.task('hold');
  await world.reply(session, task, { waitMs: 0 });
  const release = await world.held(task);
  const steering = { prompt: 'be quick', answer: '' };
  const { json } = await world.reply(session, steering, { whenBusy: 'steer', waitMs: 0 });
  agree(json.status, 'running');
  release();
  world.ended(session, await world.rest(session, json), { answer: task.answer });
}

async function interrupt(world: SoakWorld, session: SoakSession): Promise<void> {
  const task = world.task('hold');
  await world.reply(session, task, { waitMs: 0 });
  const release = await world.held(task);
  const { json } = await world.call('claude_code_session', { action: 'interrupt', sessionId: session.id });
  release();
  world.ended(session, json, { outcome: 'interrupted' });
}

async function cancel(world: SoakWorld, session: SoakSession): Promise<void> {
  const { json } = await world.call('claude_code_session', { action: 'cancel', sessionId: session.id });
  session.isCancelled = true;
  const refused = await world.reply(session, world.task('talk'));
  agree([json.status, refused.isError], ['cancelled', true]);
}

/** Totals never decrease, and the events after the cursor are numbered without a gap. */
async function read(world: SoakWorld, session: SoakSession): Promise<void> {
  const sessionId = session.id;
  const { json } = await world.call('claude_code_session', { action: 'get', sessionId });
  agree([json.turn, (json.totalCostUsd ?? 0) >= session.costUsd], [session.turn, true]);
  for (let pages = 0; pages < 100; pages += 1) {
    const { cursor } = session;
    const page = await world.call('claude_code_check', { sessionId, cursor, waitMs: 0, include: ['events'] });
    const { events = [], droppedEvents = 0 } = page.json;
    const expected = events.map((_, index) => cursor + droppedEvents + index + 1);
    agree(
      events.map(({ seq }) => seq),
      expected,
    );
    session.cursor = Number(page.json.cursor);
    if (events.length === 0) return;
  }
}

async function list(world: SoakWorld, session: SoakSession): Promise<void> {
  await talk(world, session);
  const { json } = await world.call('claude_code_session', { action: 'list', query: session.firstPrompt });
  agree(
    json.sessions?.map(({ sessionId, status, turn }) => [sessionId, status, turn]),
    [[session.id, 'idle', session.turn]],
  );
}

async function misuse(world: SoakWorld, session: SoakSession): Promise<void> {
  const unknown = { ...session, id: randomUUID() };
  const replies = await Promise.all([
    world.reply(unknown, world.task('talk')),
    world.call('claude_code_respond', { requestId: 'nothing', decision: 'allow' }),
    world.call('claude_code', { prompt: 'talk', permissionMode: 'nothing' }),
    world.call('claude_code_check', { sessionId: session.id, cursor: -1 }),
  ]);
  agree(
    replies.map(({ isError }) => isError),
    [true, true, true, true],
  );
}

export const operations: readonly [Operation, ...Operation[]] = [
  talk,
  fail,
  ask,
  ask,
  queue,
  steer,
  interrupt,
  cancel,
  read,
  read,
  list,
  misuse,
];
