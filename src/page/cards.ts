import type { Redactor } from '../core/observability/redactor.js';
import type { InputRequest } from '../core/session/inputs.js';
import { acceptsOf, summaryOf } from '../inputs/present.js';
import { grantInWords } from '../inputs/grants.js';
import { linksInWords, serverInWords } from '../inputs/quote.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { Card } from './contract.js';
import { anyPerson } from './people.js';
import { presentTextFor } from './present-text.js';
import { titleOf } from './rows.js';
import { visible, visibleIn } from './texts.js';
import { whatOf } from './what.js';

export interface CardDependencies {
  readonly sessions: SessionManager;
  readonly redactor: Redactor;
}

/** Everything that a person needs to decide about a request, whole and in the order in which it runs. */
export async function cardOf(request: InputRequest, deps: CardDependencies): Promise<Card> {
  const { sessions, redactor } = deps;
  const { requestId, sessionId, shown, askedAt, expiresAt, isMasked = false, isFixed = false } = request;
  const { kind, toolName, agent, claudeSays, reason, blockedPath, server, leadsTo } = shown;
  const view = sessions.list().find(({ id }) => id === sessionId)?.view;
  const cwd = view === undefined ? '' : redactor.maskForApprover(view.options.cwd);
  const accepts = acceptsOf(shown, true) as Card['accepts'];
  return {
    requestId,
    sessionId,
    kind,
    toolName: visible(toolName),
    summary: summaryOf(shown),
    sessionTitle: view === undefined ? sessionId.slice(0, 8) : titleOf(view),
    folder: visible(shown.folder ?? cwd),
    ...(agent === undefined ? {} : { agent: visible(agent) }),
    what: whatOf(shown, await presentTextFor(request, view, deps)),
    input: visibleIn(shown.input),
    ...(claudeSays === undefined ? {} : { claudeSays: visible(claudeSays) }),
    ...(reason === undefined ? {} : { reason: visible(reason) }),
    ...(blockedPath === undefined ? {} : { blockedPath: visible(blockedPath) }),
    ...(server === undefined ? {} : { server: serverInWords(server) }),
    ...(leadsTo === undefined ? {} : { leadsTo: linksInWords(leadsTo) }),
    ...(accepts.includes('allow_for_session') ? { grant: grantInWords(shown) } : {}),
    accepts,
    mayEdit: !isFixed && !isMasked,
    isMasked,
    ...(kind === 'plan_review' ? { nextModes: sessions.approvals.nextModes(anyPerson) } : {}),
    askedAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
