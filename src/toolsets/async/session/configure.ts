import { idOf, type SessionAction } from './action.js';
import { snapshotView } from '../snapshot/snapshot.js';

export const configure: SessionAction = {
  takes: ['sessionId', 'model', 'permissionMode'],
  async run(input, { sessions, words }, { caller }) {
    const { model, permissionMode } = input;
    const session = await sessions.controls.configure(idOf(input), { model, permissionMode }, caller);
    const rights = sessions.approvals.rightsOf(caller);
    return snapshotView(session.view, { rights, words, cursor: session.view.log.head });
  },
};
