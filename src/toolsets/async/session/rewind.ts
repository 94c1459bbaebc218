import { AppError } from '../../../core/errors.js';
import { shrinking } from '../../../core/view.js';
import { idOf, type SessionAction } from './action.js';
import { fitting } from '../snapshot/fitting.js';
import { snapshotView } from '../snapshot/snapshot.js';

export const rewind: SessionAction = {
  takes: ['sessionId', 'messageId', 'dryRun'],
  async run(input, deps, context) {
    const { sessions, words } = deps;
    const { caller } = context;
    const { messageId, dryRun = false } = input;
    const id = await idOf(input, deps, context);
    if (messageId === undefined) {
      throw new AppError('message_id_missing', { action: 'rewind' });
    }
    const { session, preview } = await sessions.controls.rewind(id, messageId, { dryRun }, caller);
    const { files, insertions, deletions } = preview;
    // With nothing to restore there is no request to approve.
    if (dryRun || files.length === 0) {
      return shrinking((room) => ({
        sessionId: session.id,
        messageId,
        insertions,
        deletions,
        files: fitting(files, room),
      }));
    }
    const rights = sessions.approvals.rightsOf(caller);
    return snapshotView(session.view, { rights, words, cursor: session.view.log.head });
  },
};
