import { AppError } from '../../../core/errors.js';
import { shrinking } from '../../../core/view.js';
import type { RewindPreview } from '../../../sessions/session-controls.js';
import { textPage } from '../../shared/text-page.js';
import { idOf, type SessionAction } from './action.js';
import { snapshotView } from '../snapshot/snapshot.js';

export const rewind: SessionAction = {
  takes: ['sessionId', 'messageId', 'dryRun', 'offset'],
  async run(input, deps, context) {
    const { sessions, words } = deps;
    const { caller } = context;
    const { action, messageId, dryRun = false, offset } = input;
    const id = await idOf(input, deps, context);
    if (messageId === undefined) {
      const { view } = await sessions.find(id);
      throw new AppError('message_id_missing', {
        action,
        isUnread: !sessions.controls.transcripts.mayRead(view),
      });
    }
    // The request of a rewind has pages of its own.
    if (offset !== undefined && !dryRun)
      throw new AppError('action_key_misfit', { key: 'offset', action, takes: ['messageId', 'dryRun'] });
    const { session, preview: found } = await sessions.controls.rewind(id, messageId, { dryRun }, caller);
    // The pages below are sent without another redaction.
    const preview = sessions.approvals.redactor.redactValue(found);
    const head = { sessionId: session.id, messageId };
    if (offset !== undefined) return textPage(head, preview.files.join('\n'), offset);
    // With nothing to restore there is no request to approve.
    if (dryRun || preview.files.length === 0)
      return shrinking((room) => ({
        ...head,
        ...presentFiles(preview, room, words.read.restored?.(id, messageId)),
      }));
    const rights = sessions.approvals.rightsOf(caller);
    return snapshotView(session.view, { rights, words, cursor: session.view.log.head });
  },
};

function presentFiles(
  { files, insertions, deletions }: RewindPreview,
  room: number,
  readMore: string | undefined,
): Record<string, unknown> {
  let chars = 0;
  const shown = files.filter((file) => (chars += JSON.stringify(file).length + 1) <= room);
  const isCut = shown.length < files.length;
  return {
    insertions,
    deletions,
    files: shown,
    ...(isCut ? { moreFiles: files.length - shown.length, readMore } : {}),
  };
}
