import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../core/errors.js';
import type { JsonObject } from '../core/json.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { InputAsk, InputRequest } from '../core/session/inputs.js';
import { titleOf } from '../inputs/form-text.js';
import { acceptsOf } from '../inputs/present.js';
import { grantInWords } from '../inputs/grant-words.js';
import { linksInWords, serverInWords, toolLabel } from '../inputs/quote.js';
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
  try {
    return await wholeCard(request, deps, turn);
  } catch (error) {
    return deniable(request, error, deps);
  }
}

const deniableCards = new WeakMap<InputRequest, Card>();

/** A request that cannot be displayed must not keep the others from the page, and nobody can approve it. */
function deniable(request: InputRequest, error: unknown, { sessions }: CardDependencies): Card {
  const known = deniableCards.get(request);
  if (known !== undefined) return known;
  const { requestId, sessionId, shown, askedAt, expiresAt } = request;
  const fields = { sessionId, requestId, reason: messageOf(error) };
  sessions.approvals.logger.log('error', 'a request could not be displayed', fields);
  const card: Card = {
    requestId,
    sessionId,
    kind: shown.kind,
    toolName: exact(shown.toolName),
    summary: `Use ${toolLabel(shown.toolName)}`,
    sessionTitle: '',
    folder: '',
    what: { type: 'input', input: {} },
    input: {},
    reason: 'The server could not display this request, so it can only be denied here.',
    accepts: ['deny'],
    mayEdit: false,
    isMasked: false,
    askedAt,
    ...withoutUndefined({ expiresAt }),
  };
  deniableCards.set(request, card);
  return card;
}

async function wholeCard(request: InputRequest, deps: CardDependencies, turn: Turn): Promise<Card> {
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

/** The input as a person reads it, and its keys that contain escapes. */
type VisibleInput = Pick<Card, 'input'> & { readonly escaped: readonly string[] };

/** Once for all who wait for it. */
const inputs = new WeakMap<InputRequest, Promise<VisibleInput>>();

function visibleInput(request: InputRequest, turn: Turn): Promise<VisibleInput> {
  const known = inputs.get(request) ?? escapedInput(request.shown.input, turn);
  inputs.set(request, known);
  return known;
}

async function escapedInput(original: JsonObject, turn: Turn): Promise<VisibleInput> {
  const input = (await allChangedInParts(original, exact, turn)) as JsonObject;
  return { input, escaped: Object.keys(input).filter((key) => !isSame(input[key], original[key])) };
}

/** Compares as JSON: `isDeepStrictEqual` exhausts the stack with values that JSON can still write. */
function isSame(displayed: unknown, original: unknown): boolean {
  return displayed === original || JSON.stringify(displayed) === JSON.stringify(original);
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
  { input, escaped }: VisibleInput,
  { place, present, nextModes }: Surroundings,
): Card {
  const { kind, toolName } = shown;
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
