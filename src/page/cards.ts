import type { Redactor } from '../core/observability/redactor.js';
import type { InputAsk, InputRequest } from '../core/session/inputs.js';
import { titleOf } from '../inputs/form-text.js';
import { acceptsOf } from '../inputs/present.js';
import { grantInWords } from '../inputs/grant-words.js';
import { linksInWords, serverInWords } from '../inputs/quote.js';
import type { SessionView } from '../session/session-view.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { Card } from './contract.js';
import { anyPerson } from './people.js';
import { presentTextFor } from './present-text.js';
import { titleOf as sessionTitleOf } from './rows.js';
import { exact, exactIn, withoutUndefined } from './wording/texts.js';
import { whatOf } from './what.js';

export interface CardDependencies {
  readonly sessions: SessionManager;
  readonly redactor: Redactor;
}

/** Everything that a person needs to decide about a request, whole and as it would run. */
export async function cardOf(request: InputRequest, deps: CardDependencies): Promise<Card> {
  const { sessions, redactor } = deps;
  const { requestId, sessionId, shown, askedAt, expiresAt, isMasked = false, isFixed = false } = request;
  const { kind, toolName } = shown;
  const view = sessions.list().find(({ id }) => id === sessionId)?.view;
  const input = exactIn(shown.input);
  const escaped = Object.keys(input).filter((key) => !isSame(input[key], shown.input[key]));
  const accepts = acceptsOf(shown, 'all') as Card['accepts'];
  return {
    requestId,
    sessionId,
    kind,
    toolName: exact(toolName),
    summary: titleOf(shown),
    ...placeOf(view, shown, redactor),
    what: whatOf(shown, await presentTextFor(request, view, redactor)),
    input,
    ...circumstancesOf(shown),
    ...withoutUndefined({
      grant: accepts.includes('allow_for_session') ? grantInWords(shown) : undefined,
      nextModes: kind === 'plan_review' ? sessions.approvals.nextModes(anyPerson) : undefined,
      expiresAt,
      escaped: escaped.length === 0 ? undefined : escaped,
    }),
    accepts,
    mayEdit: !isFixed && !isMasked,
    isMasked,
    askedAt,
  };
}

function isSame(displayed: unknown, original: unknown): boolean {
  return JSON.stringify(displayed) === JSON.stringify(original);
}

function placeOf(
  view: SessionView | undefined,
  { folder }: InputAsk,
  redactor: Redactor,
): Pick<Card, 'sessionTitle' | 'folder'> {
  const cwd = view === undefined ? '' : redactor.maskForApprover(view.options.cwd);
  return { sessionTitle: view === undefined ? '' : sessionTitleOf(view), folder: exact(folder ?? cwd) };
}

function circumstancesOf({
  agent,
  claudeSays,
  reason,
  blockedPath,
  server,
  leadsTo,
}: InputAsk): Partial<Pick<Card, 'agent' | 'claudeSays' | 'reason' | 'blockedPath' | 'server' | 'leadsTo'>> {
  return withoutUndefined({
    agent: agent && exact(agent),
    claudeSays: claudeSays && exact(claudeSays),
    reason: reason && exact(reason),
    blockedPath: blockedPath && exact(blockedPath),
    server: server && serverInWords(server),
    leadsTo: leadsTo && linksInWords(leadsTo),
  });
}
