import { fitText } from '../../../events/digest.js';
import { idOf, type SessionAction } from './action.js';
import { snapshotOf } from '../snapshot/snapshot.js';

export const configure: SessionAction = {
  takes: ['sessionId', 'model', 'permissionMode'],
  async run(input, { sessions }, { caller }) {
    const { model, permissionMode } = input;
    const session = await sessions.controls.configure(idOf(input), { model, permissionMode }, caller);
    const mayApprove = sessions.approvals.mayApprove(caller);
    return fitText((room) => snapshotOf(session, { mayApprove, cursor: session.log.head }, room));
  },
};
