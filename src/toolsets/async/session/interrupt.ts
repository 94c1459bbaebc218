import { snapshotView } from '../snapshot/snapshot.js';
import { defineSessionAction } from './action.js';

export const interrupt = defineSessionAction([], async (session, _input, { sessions, words }, { caller }) => {
  const mayApprove = sessions.approvals.mayApprove(caller);
  const cursor = session.view.log.head;
  const droppedPrompts = await session.interrupt();
  return snapshotView(session.view, { mayApprove, words, cursor, droppedPrompts });
});
