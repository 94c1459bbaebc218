import { shrinking } from '../../../core/view.js';
import { snapshotOf } from '../snapshot/snapshot.js';
import { defineSessionAction } from './action.js';
import { fittingDetails } from './get.js';

export const cancel = defineSessionAction(
  ['includeSensitive'],
  async (session, { includeSensitive = false }, { sessions, words }, { caller }) => {
    // Before the session ends: a refused call must change nothing.
    const details = includeSensitive ? sessions.controls.sensitiveDetails(session.view) : {};
    const rights = sessions.approvals.rightsOf(caller);
    const cursor = session.view.log.head;
    const droppedPrompts = session.view.queued.length;
    await session.cancel();
    return shrinking((room) => ({
      ...snapshotOf(session.view, { rights, words, cursor, droppedPrompts }, room),
      ...fittingDetails(details, room),
    }));
  },
);
