import * as z from 'zod';
import type { Session } from '../../session/session.js';
import { attachmentsField, promptField, sessionIdField } from '../shared/fields.js';
import { defineWaitingTool, namedId } from '../shared/define-tool.js';
import { withPatience } from '../shared/patience.js';
import { atOnce, type Watch } from '../shared/watch.js';
import { briefOf } from './brief.js';
import { briefOutput } from './output.js';

export const claudeSendMessage = defineWaitingTool({
  name: 'claude_send_message',
  title: 'Send a message to a session',
  description:
    'Sends the next message to a session. It joins a running turn; otherwise the session continues with its full history, even one from a terminal or an earlier server.',
  effect: 'destructive',
  input: z.strictObject({
    sessionId: sessionIdField,
    message: promptField,
    attachments: attachmentsField,
    forkSession: z.boolean().optional().describe('Continue in a copy with a new id'),
  }),
  output: briefOutput,
  async begin({ sessionId, message, attachments, forkSession = false }, deps, context) {
    const id = await namedId(sessionId, deps, context);
    const how = { attachments, forkSession, whenBusy: 'steer' } as const;
    const session = await withPatience(0, deps, context, (enough) =>
      deps.sessions.reply(id, message, { ...how, enough }, context.caller),
    );
    // The caller never learns the id of the copy.
    if (forkSession && context.signal.aborted) await session.cancel();
    return watchBrief(session);
  },
  async rejoin(_input, { session }) {
    return watchBrief(session);
  },
});

function watchBrief(session: Session): Watch {
  return atOnce(
    session,
    ({ words }) =>
      (room) =>
        briefOf(session.view, words, room),
  );
}
