import { fitText } from '../../../events/digest.js';
import { idOf, type SessionAction } from './action.js';
import { describeSession } from './views.js';

export const get: SessionAction = {
  takes: ['sessionId', 'includeSensitive'],
  async run(input, { sessions }, { caller }) {
    const session = await sessions.find(idOf(input));
    const sensitive = input.includeSensitive === true ? sessions.controls.sensitiveDetails(session) : {};
    const inspection = await session.inspect();
    const mayApprove = sessions.approvals.mayApprove(caller);
    return fitText((room) => describeSession(session, { mayApprove, inspection, sensitive }, room));
  },
};
