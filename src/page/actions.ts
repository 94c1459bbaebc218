import { parseSessionId } from '../core/ids.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { CallInput } from './call-inputs.js';
import type { Empty, SessionName } from './contract.js';
import type { Person } from './desk.js';
import { callerOf } from './people.js';

/** Starts a session within the policy, like a caller does. */
export async function startSession(
  sessions: SessionManager,
  { prompt, folder, mode, budgetUsd }: CallInput<'start'>,
  person: Person,
): Promise<SessionName> {
  const options = {
    cwd: folder,
    ...(mode === undefined ? {} : { permissionMode: mode }),
    ...(budgetUsd === undefined ? {} : { maxBudgetUsd: budgetUsd }),
  };
  const session = await sessions.start(prompt, options, callerOf(person));
  return { sessionId: session.id };
}

/** Sends another prompt. While no turn runs, it begins one. */
export async function replyTo(
  sessions: SessionManager,
  { sessionId, prompt, whenBusy }: CallInput<'reply'>,
  person: Person,
): Promise<Empty> {
  await sessions.reply(parseSessionId(sessionId), prompt, { forkSession: false, whenBusy }, callerOf(person));
  return {};
}

export async function stopSession(
  sessions: SessionManager,
  action: 'interrupt' | 'cancel',
  { sessionId }: SessionName,
  person: Person,
): Promise<Empty> {
  const session = await sessions.find(parseSessionId(sessionId));
  sessions.controls.notePageAction(action, session.id, callerOf(person));
  await session[action]();
  return {};
}
