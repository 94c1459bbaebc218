import * as z from 'zod';
import { parseSessionId } from '../../core/ids.js';
import { sessionIdField } from '../shared/fields.js';
import { defineWaitingTool, type ToolDependencies } from '../shared/define-tool.js';
import type { Watch } from '../shared/watch.js';
import { atOnce } from './at-once.js';
import { statusOutput } from './output.js';
import { statusView } from './status-view.js';

const input = z.strictObject({
  sessionId: sessionIdField,
  outputLines: z.int().min(0).max(10_000).optional().describe('Lines of recentOutput; default 50'),
});

const defaultOutputLines = 50;

export const claudeGetStatus = defineWaitingTool({
  name: 'claude_get_status',
  title: 'Look at a session',
  description:
    'Tells at once what a session does, has said and asks for; changes nothing. Pause between calls while it runs.',
  effect: 'read',
  input,
  output: statusOutput,
  begin: look,
  // It changes nothing, so it can be done again.
  rejoin: (input, _state, deps) => look(input, deps),
});

async function look(
  { sessionId, outputLines = defaultOutputLines }: z.infer<typeof input>,
  { sessions }: ToolDependencies,
): Promise<Watch> {
  const session = await sessions.find(parseSessionId(sessionId));
  return atOnce(session, (room, { mayApprove }) => statusView(session, { outputLines, mayApprove }, room));
}
