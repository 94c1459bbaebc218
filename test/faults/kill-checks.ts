/** Compares what the caller finds after a kill with what had been acknowledged before it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text, tool } from '../kit/model-steps.js';
import type { Sandbox } from '../kit/sandbox.js';
import type { ScriptedModel } from '../kit/scripted-model.js';
import type { ServerClient, ToolReply } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { checkMoney } from './charges.js';
import { checkEvents, checkQueue, checkRequests, checkResults, eventsOf } from './kept.js';
import { checkEnd, endOf } from './kill-end.js';
import { traces, work, type End } from './kill-phases.js';
import type { KillPlan } from './kill-plan.js';
import type { Witness } from './witness.js';

export interface Aftermath {
  readonly witness: Witness;
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
  /** The server that is asked: the next one, or the same one if it survived. */
  readonly server: ServerClient;
}

const next = { prompt: 'carry on', answer: 'Carried on.' };
const again = 'The work is done, at the second attempt.';
const waitMs = 20_000;

export async function checkSession(plan: KillPlan, aftermath: Aftermath): Promise<readonly string[]> {
  const { witness, server } = aftermath;
  const { sessionId } = witness;
  if (sessionId === undefined)
    return plan.phase.ends.includes('unknown') ? [] : ['the session was never acknowledged'];
  const violations: string[] = [];
  const add = (...found: readonly string[]): void => void violations.push(...found);

  if (plan.victim === 'claude') {
    await witness.replied;
    await untilAtRest(server, sessionId);
  }
  const list = await server.call('claude_code_session', { action: 'list' });
  if (!list.json.sessions?.some((one) => one.sessionId === sessionId)) add('list does not have the session');
  const got = await server.call('claude_code_session', { action: 'get', sessionId });
  if (got.isError) return [...violations, `get: ${got.text}`];
  const end = endOf(plan, witness, got.json);
  add(...checkEnd(plan, end, got.json), ...checkQueue(plan, witness, got));
  const before = await eventsOf(server, sessionId);
  add(...checkEvents(witness, before), ...checkResults(witness, before));
  add(...(await checkRequests(plan, witness, server)));
  add(...(await checkMoney(aftermath, got.json, 'before the reply')));
  add(...(await checkReply(plan, end, aftermath)));
  const after = await eventsOf(server, sessionId);
  add(...checkEvents(witness, after), ...checkResults(witness, after));
  const later = await server.call('claude_code_session', { action: 'get', sessionId });
  add(...(await checkMoney(aftermath, later.json, 'after the reply')));
  if (!(end === 'cut' && plan.runsAgain)) add(...checkTraces(aftermath));
  return violations.map((violation) => `${end}: ${violation}`);
}

/** A prompt that had not reached Claude Code goes to the next process, so its turn may still run. */
async function untilAtRest(server: ServerClient, sessionId: string): Promise<void> {
  await until('the session rests', async () => {
    const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    return json.status !== 'running' && json.status !== 'waiting';
  });
}

/** The first attempt must succeed. */
async function checkReply(
  plan: KillPlan,
  end: End,
  { witness, model, server }: Aftermath,
): Promise<readonly string[]> {
  const { sessionId } = witness;
  if (end === 'cancelled') {
    const refused = await server.call('claude_code_reply', { sessionId, prompt: next.prompt });
    return refused.isError ? [] : ['a cancelled session takes a reply'];
  }
  if (end === 'cut' && plan.runsAgain && plan.victim !== 'claude')
    return runAgain(sessionId, { witness, model, server });
  model.when(next.prompt, [text(next.answer)]);
  const reply = await server.call('claude_code_reply', { sessionId, prompt: next.prompt, waitMs });
  return checkAnswer('the first reply', reply, next.answer);
}

/** The cut turn runs again. A permission that was not given before is requested again. */
async function runAgain(
  sessionId: string | undefined,
  { witness, model, server }: Pick<Aftermath, 'witness' | 'model' | 'server'>,
): Promise<readonly string[]> {
  const what = 'running the cut turn again';
  const asks = witness.open.size > 0;
  const steps = [text(again)];
  model.when(work.prompt, asks ? [tool('Bash', { command: 'true > again.txt' }), ...steps] : steps);
  const reply = await server.call('claude_code_reply', { sessionId, resumeInterrupted: true, waitMs });
  if (!asks || reply.isError) return checkAnswer(what, reply, again);
  const requestId = reply.json.actions?.[0]?.requestId;
  if (requestId === undefined) return [`${what} asks for no permission: ${reply.text.slice(0, 300)}`];
  const allowed = await server.call('claude_code_respond', { requestId, decision: 'allow', waitMs });
  return checkAnswer(what, allowed, again);
}

function checkAnswer(what: string, reply: ToolReply, expected: string): readonly string[] {
  if (reply.isError) return [`${what} is refused: ${reply.text.slice(0, 200)}`];
  const { status, result } = reply.json;
  if (status === 'idle' && result?.result === expected) return [];
  return [`${what} ended ${reply.text.slice(0, 300)}`];
}

/** No command ran twice. */
function checkTraces({ sandbox }: Aftermath): readonly string[] {
  const path = join(sandbox.project, traces);
  const count = existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
  return count <= 1 ? [] : [`a command ran ${count} times`];
}
