import * as z from 'zod';
import type { ToolContext } from '../../core/tool-context.js';
import type { Session } from '../../session/session.js';
import type { SessionManager } from '../../sessions/session-manager.js';
import { requestIdField, sessionIdField } from '../shared/fields.js';
import {
  defineWaitingTool,
  showingSession,
  type HandlerDependencies,
  type WatchOrView,
} from '../shared/define-tool.js';
import { ownCursor } from '../shared/own-cursor.js';
import { inputPage, resultPage, textPage } from '../shared/text-page.js';
import { atOnce } from '../shared/watch.js';
import { statusOutput } from './output.js';
import { spokenIn } from './recent-output.js';
import { statusOf } from './status.js';
import { laterView, statusView } from './status-view.js';

const input = z.strictObject({
  sessionId: sessionIdField,
  cursor: z.int().min(0).optional().describe('From the last answer: return only later news'),
  outputLines: z.int().min(0).max(10_000).optional().describe('Maximum lines of recentOutput. Default 50'),
  inputId: requestIdField.optional().describe('Read the whole toolInput of this pending input'),
  resultOffset: z.int().min(0).optional().describe('Read a long result or toolInput from here'),
  outputOffset: z.int().min(0).optional().describe('Read everything that Claude said from here'),
});

const defaultOutputLines = 50;

export const claudeGetStatus = defineWaitingTool({
  name: 'claude_get_status',
  title: 'Get the status of a session',
  description:
    'Returns the state of a session at once. status: running (wait a few seconds, then call again), waiting_for_input (answer its pendingInputs), completed (read result), error (read error), interrupted.',
  effect: 'read',
  input,
  output: statusOutput,
  begin: showingSession(look),
  rejoin: (input, { session }, deps) => look(session, input, deps),
});

async function look(
  session: Session,
  { outputLines = defaultOutputLines, cursor: given, ...wanted }: z.infer<typeof input>,
  { sessions }: HandlerDependencies,
  context?: Pick<ToolContext, 'signal'>,
): Promise<WatchOrView> {
  const { inputId, resultOffset, outputOffset } = wanted;
  const head = { sessionId: session.id, status: statusOf(session.view.state) };
  if (inputId !== undefined) return { view: inputPage(session, inputId, { ...head, inputId }, resultOffset) };
  if (resultOffset !== undefined) return { view: resultPage(session, sessions, head, resultOffset) };
  if (outputOffset !== undefined) {
    const { output, droppedEvents } = await outputOf(session, sessions, context?.signal);
    return { view: textPage({ ...head, droppedEvents }, output, outputOffset) };
  }
  const cursor = ownCursor(session, given);
  if (cursor !== undefined && cursor > 0)
    return atOnce(session, (news) => laterView(session.view, { ...news, outputLines, cursor }));
  const earlierOutput = await outputBefore(session, sessions);
  return atOnce(session, (news) =>
    statusView(session.view, { ...news, outputLines, earlierOutput, isLater: given !== undefined }),
  );
}

interface Output {
  readonly output: string;
  /** How many events are missing in it. */
  readonly droppedEvents?: number | undefined;
}

/**
 * Everything that Claude said. If callers may not read what was said before, only what it said here, as far as the event
 * log has it.
 */
async function outputOf(
  { id, view }: Session,
  { approvals: { redactor }, controls: { transcripts } }: SessionManager,
  signal: AbortSignal | undefined,
): Promise<Output> {
  if (view.isUnread || transcripts.mayRead(view)) return { output: await transcripts.output(id, signal) };
  const { events, dropped } = view.log.read(0);
  return { output: redactor.redact(spokenIn(events).join('\n')), droppedEvents: dropped || undefined };
}

/** What Claude said on an earlier server, if no event of that is left. */
async function outputBefore({ id, view }: Session, { controls }: SessionManager): Promise<string> {
  if (!view.isRestored || !view.log.isEmpty || view.isUnread) return '';
  // The conversation may have been deleted, but the session still has a status.
  return controls.transcripts.output(id).catch(() => '');
}
