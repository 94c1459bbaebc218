import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../core/json.js';
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
import { allChangedInParts, changedInParts, type Turn } from '../core/text/in-parts.js';
import { exact, withoutUndefined } from './wording/texts.js';
import { visibleWhatOf, type PresentText } from './what.js';

export interface CardDependencies {
  readonly sessions: SessionManager;
  readonly redactor: Redactor;
}

/** What a card says besides the request itself. It can change while the request is open. */
interface Surroundings {
  readonly place: Pick<Card, 'sessionTitle' | 'folder'>;
  readonly present: PresentText;
  readonly nextModes: Card['nextModes'];
}

interface MadeCard {
  readonly surroundings: Surroundings;
  readonly card: Card;
}

const made = new WeakMap<InputRequest, MadeCard>();

/**
 * Everything that a person needs to decide about a request, whole and as it would run. The same card as before, unless
 * something around the request has changed.
 */
export async function cardOf(request: InputRequest, deps: CardDependencies, turn: Turn): Promise<Card> {
  const { sessions, redactor } = deps;
  const { sessionId, shown } = request;
  const view = sessions.list().find(({ id }) => id === sessionId)?.view;
  const surroundings: Surroundings = {
    place: placeOf(view, shown, redactor),
    present: await presentTextFor(request, view, redactor),
    nextModes: shown.kind === 'plan_review' ? sessions.approvals.nextModes(anyPerson) : undefined,
  };
  const input = await visibleInput(request, turn);
  const before = await visiblePresent(request, surroundings.present, turn);
  const last = made.get(request);
  if (last !== undefined && isDeepStrictEqual(last.surroundings, surroundings)) return last.card;
  const card = cardWith(request, input, { ...surroundings, present: before });
  made.set(request, { surroundings, card });
  return card;
}

/** Once for all who wait for it. */
const inputs = new WeakMap<InputRequest, Promise<JsonObject>>();

function visibleInput(request: InputRequest, turn: Turn): Promise<JsonObject> {
  const known =
    inputs.get(request) ??
    allChangedInParts(request.shown.input, exact, turn).then((input) => input as JsonObject);
  inputs.set(request, known);
  return known;
}

interface ShownText {
  readonly original: string;
  readonly visible: Promise<string>;
}

const texts = new WeakMap<InputRequest, ShownText>();

/** Once for each text of the file. */
async function visiblePresent(
  request: InputRequest,
  { text, ...note }: PresentText,
  turn: Turn,
): Promise<PresentText> {
  if (text === undefined) return { text, ...note };
  const last = texts.get(request);
  const shown =
    last?.original === text ? last : { original: text, visible: changedInParts(text, exact, turn) };
  texts.set(request, shown);
  return { text: await shown.visible, ...note };
}

function cardWith(
  { requestId, sessionId, shown, askedAt, expiresAt, isMasked = false, isFixed = false }: InputRequest,
  input: JsonObject,
  { place, present, nextModes }: Surroundings,
): Card {
  const { kind, toolName } = shown;
  const escaped = Object.keys(input).filter((key) => !isDeepStrictEqual(input[key], shown.input[key]));
  const accepts = acceptsOf(shown, 'all') as Card['accepts'];
  return {
    requestId,
    sessionId,
    kind,
    toolName: exact(toolName),
    summary: titleOf(shown),
    ...place,
    what: visibleWhatOf({ kind, toolName, input }, present),
    input,
    ...circumstancesOf(shown),
    ...withoutUndefined({
      grant: accepts.includes('allow_for_session') ? grantInWords(shown) : undefined,
      nextModes,
      expiresAt,
      escaped: escaped.length === 0 ? undefined : escaped,
    }),
    accepts,
    mayEdit: !isFixed && !isMasked,
    isMasked,
    askedAt,
  };
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
