import * as z from 'zod';
import type { Session } from '../../session/session.js';
import { sessionIdField } from '../shared/fields.js';
import { defineWaitingTool, withSession } from '../shared/define-tool.js';
import { atOnce, type Watch } from '../shared/watch.js';
import { statusOutput } from './output.js';
import { statusView } from './status-view.js';

const input = z.strictObject({
  sessionId: sessionIdField,
  outputLines: z.int().min(0).max(10_000).optional().describe('Maximum lines of recentOutput. Default 50'),
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
  begin: withSession(look),
  rejoin: (input, { session }) => look(session, input),
});

async function look(
  session: Session,
  { outputLines = defaultOutputLines }: z.infer<typeof input>,
): Promise<Watch> {
  return atOnce(session, ({ mayApprove }, room) =>
    statusView(session.view, { outputLines, mayApprove }, room),
  );
}
