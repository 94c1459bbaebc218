import { fitText } from '../../../events/digest.js';
import { idOf, type SessionAction } from './action.js';
import { snapshotOf } from '../snapshot/snapshot.js';

export const cancel: SessionAction = {
  takes: ['sessionId'],
  async run(input, { sessions }, { caller }) {
    const session = await sessions.find(idOf(input));
    const mayApprove = sessions.approvals.mayApprove(caller);
    const seen = session.log.head;
    await session.cancel();
    return fitText((room) => snapshotOf(session, { mayApprove, cursor: seen }, room));
  },
};
