import { snapshotView } from '../snapshot/snapshot.js';
import { defineSessionAction } from './action.js';

export const cancel = defineSessionAction([], async (session, _input, { sessions, words }, { caller }) => {
  const mayApprove = sessions.approvals.mayApprove(caller);
  const cursor = session.view.log.head;
  await session.cancel();
  return snapshotView(session.view, { mayApprove, words, cursor });
});
