import { snapshotView } from '../snapshot/snapshot.js';
import { defineSessionAction } from './action.js';

export const interrupt = defineSessionAction([], async (session, _input, { sessions, words }, { caller }) => {
  const rights = sessions.approvals.rightsOf(caller);
  const cursor = session.view.log.head;
  const droppedPrompts = await session.interrupt();
  return snapshotView(session.view, { rights, words, cursor, droppedPrompts });
});
