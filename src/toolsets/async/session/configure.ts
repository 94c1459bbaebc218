import { idOf, type SessionAction } from './action.js';
import { snapshotView } from '../snapshot/snapshot.js';

export const configure: SessionAction = {
  takes: ['sessionId', 'model', 'permissionMode'],
  async run(input, deps, context) {
    const { sessions, words } = deps;
    const { caller } = context;
    const { model, permissionMode } = input;
    const id = await idOf(input, deps, context);
    const session = await sessions.controls.configure(id, { model, permissionMode }, caller);
    const rights = sessions.approvals.rightsOf(caller);
    return snapshotView(session.view, { rights, words, cursor: session.view.log.head });
  },
};
