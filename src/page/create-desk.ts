import type { AppError } from '../core/errors.js';
import type { Redactor } from '../core/observability/redactor.js';
import { cutMiddle } from '../core/text/escape.js';
import type { Calls, PageError } from './contract.js';
import { replyTo, startSession, stopSession } from './actions.js';
import { answerRequest } from './answers.js';
import { parseInput, type CallInput } from './call-inputs.js';
import type { Desk, DeskCall, Person } from './desk.js';
import { detailsOf } from './details.js';
import { changesOf, toolCallOf } from './history.js';
import { aboutSessions, foldersFor, usageOf } from './offers.js';
import { listRows } from './rows.js';
import { firstIn } from './settlements.js';
import { olderEvents } from './watched-session.js';
import { streamTo, type StreamDependencies } from './stream.js';
import { inWords } from './wording/problems.js';
import { visible } from './wording/texts.js';

export type DeskDependencies = Omit<StreamDependencies, 'turn'>;

type Handlers = {
  readonly [Name in DeskCall]: (input: CallInput<Name>, person: Person) => Promise<Calls[Name]['output']>;
};

/** The page's view of the sessions of one principal. */
export function createDesk(deps: DeskDependencies): Desk {
  const { sessions, redactor } = deps;
  const handlers = handlersOf(deps);
  return {
    async call(name, input, person) {
      return handlers[name](parseInput(name, input), person);
    },
    explain: (error) => toPageError(error, redactor),
    about: () => aboutSessions(sessions),
    stream: (request, signal, turn) => streamTo(request, signal, { ...deps, turn }),
  };
}

function handlersOf(deps: DeskDependencies): Handlers {
  const { sessions, redactor } = deps;
  return {
    answer: (input, person) => answerRequest(sessions, input, person),
    sessions: (input) => listRows(sessions, input),
    session: (input) => detailsOf(input, sessions),
    events: (input) => olderEvents(input, sessions),
    toolCall: (input) => toolCallOf(input, deps),
    changes: (input) => changesOf(input, deps),
    usage: () => usageOf(sessions, redactor),
    folders: (input) => foldersFor(input, sessions),
    start: (input, person) => startSession(sessions, input, person),
    reply: (input, person) => replyTo(sessions, input, person),
    interrupt: (input, person) => stopSession(sessions, 'interrupt', input, person),
    cancel: (input, person) => stopSession(sessions, 'cancel', input, person),
  };
}

/** A message may quote an edited input of any length. */
const maxMessageChars = 2_000;

/** An error as the page shows it. A late answer also says who was first. */
export function toPageError(error: AppError, redactor: Redactor): PageError {
  const settlement = firstIn(error);
  return {
    reason: error.reason,
    message: cutMiddle(visible(redactor.redact(inWords(error))), maxMessageChars),
    ...(settlement === undefined ? {} : { settlement }),
  };
}
