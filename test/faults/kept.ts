/** Whether acknowledged events, results, queued prompts and answers are still there, and none of them twice. */
import { isDeepStrictEqual } from 'node:util';
import type { EventJson } from '../kit/answer-json.js';
import type { ServerClient, ToolReply } from '../kit/server-client.js';
import type { KillPlan } from './kill-plan.js';
import type { Witness } from './witness.js';

export function checkQueue(
  { victim }: KillPlan,
  { queued }: Witness,
  { json }: ToolReply,
): readonly string[] {
  if (queued.length === 0 || victim === 'claude') return [];
  const { keptPrompts = [] } = json;
  return isDeepStrictEqual(keptPrompts, queued)
    ? []
    : [`of ${queued.join(', ')} is offered: ${keptPrompts.join(', ')}`];
}

export function checkEvents(witness: Witness, events: readonly EventJson[]): readonly string[] {
  const found = new Map(events.map((event) => [event.seq, event]));
  const lost = [...witness.events.values()].filter(
    (event) => !isDeepStrictEqual(found.get(event.seq), event),
  );
  const isOrdered = events.every(({ seq }, index) => index === 0 || seq > (events[index - 1]?.seq ?? 0));
  return [
    ...(lost.length === 0
      ? []
      : [
          `${lost.length} of ${witness.events.size} acknowledged events are lost: ${JSON.stringify(lost[0])}`,
        ]),
    ...(isOrdered ? [] : ['events are twice or out of order']),
  ];
}

export function checkResults({ results }: Witness, events: readonly EventJson[]): readonly string[] {
  return [...results.values()].flatMap(({ result }) => {
    const count = events.filter((event) => event.type === 'result' && event.text === result).length;
    return count === 1 || result === ''
      ? []
      : [`the result ${JSON.stringify(result)} is there ${count} times`];
  });
}

/** Nobody can answer a request of the first server again, and each says what became of it. */
export async function checkRequests(
  { victim }: KillPlan,
  witness: Witness,
  server: ServerClient,
): Promise<readonly string[]> {
  const violations: string[] = [];
  const { sessionId } = witness;
  for (const requestId of witness.open) {
    const reply = await server.call('claude_code_respond', {
      sessionId,
      requestId,
      decision: 'allow',
      waitMs: 0,
    });
    const words = victim === 'claude' ? /withdrawn/ : /server .*(stopped|restarted)/;
    // An answer whose acknowledgement was under way may have been taken.
    if (!reply.isError || !(words.test(reply.text) || /already settled \(decision: allow/.test(reply.text)))
      violations.push(`an open request is not void: ${reply.text.slice(0, 200)}`);
  }
  for (const [requestId, decision] of witness.answered) {
    const reply = await server.call('claude_code_respond', { sessionId, requestId, decision, waitMs: 0 });
    if (!reply.isError || !reply.text.includes(`already settled (decision: ${decision}`))
      violations.push(`an acknowledged answer is gone: ${reply.text.slice(0, 200)}`);
  }
  return violations;
}

export async function eventsOf(server: ServerClient, sessionId: string): Promise<readonly EventJson[]> {
  const events: EventJson[] = [];
  let cursor = 0;
  for (let pages = 0; pages < 50; pages += 1) {
    const { json } = await server.call('claude_code_check', {
      sessionId,
      cursor,
      waitMs: 0,
      maxEvents: 500,
      include: ['events'],
    });
    events.push(...(json.events ?? []));
    if ((json.events ?? []).length === 0) return events;
    cursor = Number(json.cursor);
  }
  throw new Error('Reading the events creates more events');
}
