import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { parseSessionId } from '../../core/ids.js';
import { fitText } from '../../events/digest.js';
import { defineTool } from '../define-tool.js';
import { sessionIdField } from './fields.js';
import { listFields, listSessions } from './list-sessions.js';
import { describeSession } from './session-views.js';
import { snapshotOf } from './snapshot.js';

export const claudeCodeSession = defineTool({
  name: 'claude_code_session',
  title: 'Manage sessions',
  description: 'list or get sessions; interrupt = stop the turn, can go on; cancel = end for good.',
  effect: 'destructive',
  input: z.strictObject({
    action: z.enum(['list', 'get', 'interrupt', 'cancel']),
    sessionId: sessionIdField.optional(),
    ...listFields,
  }),
  async handle({ action, sessionId, ...listed }, deps, { caller }) {
    if (action === 'list') return listSessions(listed, deps);
    const { sessions } = deps;
    if (sessionId === undefined)
      throw new AppError('INVALID_ARGUMENT', `action "${action}" needs a sessionId`, {
        hint: 'Use one of those that action "list" shows.',
      });
    const session = await sessions.find(parseSessionId(sessionId));
    const mayApprove = sessions.approvals.mayApprove(caller);
    switch (action) {
      case 'get':
        return fitText((room) => describeSession(session, { mayApprove }, room));
      case 'interrupt': {
        const seen = session.log.head;
        const droppedPrompts = await session.interrupt();
        return fitText((room) => snapshotOf(session, { mayApprove, cursor: seen, droppedPrompts }, room));
      }
      case 'cancel': {
        const seen = session.log.head;
        await session.cancel();
        return fitText((room) => snapshotOf(session, { mayApprove, cursor: seen }, room));
      }
    }
  },
});
