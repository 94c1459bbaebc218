import { AppError } from '../core/errors.js';
import { parseSessionId } from '../core/ids.js';
import { isObject, ownValue, type JsonObject } from '../core/json.js';
import { restoreBackslashes } from '../core/text/approver-text.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { GivenAnswer } from '../inputs/build-answer.js';
import { refuseUnreadEdit } from '../inputs/edited-input.js';
import { denial } from '../inputs/form.js';
import { oncePerKey } from '../inputs/once-per-key.js';
import { questionsIn, type GivenAnswers } from '../inputs/questions.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { CallInput } from './call-inputs.js';
import type { Settlement } from './contract.js';
import type { Person } from './desk.js';
import { callerOf } from './people.js';
import { exact, exactIn } from './wording/texts.js';

type PersonsAnswer = CallInput<'answer'>;

/** Settles a request through the broker, like every other answer. Throws if it does not fit or comes too late. */
export async function answerRequest(
  sessions: SessionManager,
  answer: PersonsAnswer,
  person: Person,
): Promise<Settlement> {
  const request = await sessions.openRequest(answer.requestId, undefined);
  const { requestId, sessionId } = request;
  const session = await sessions.find(parseSessionId(sessionId));
  const caller = callerOf(person);
  const given = {
    ...givenIn(answer, request),
    ...(answer.decision === 'deny' ? denial(answer.message) : {}),
  };
  await sessions.approvals.answerByPerson(session.view, request, given, caller);
  return {
    requestId,
    sessionId,
    decision: answer.decision === 'deny' ? 'deny' : 'allow',
    by: 'page',
    ...(caller.device === undefined ? {} : { device: caller.device }),
    at: sessions.clock.now(),
  };
}

/** The answer in the words of the session layer, from a person or from a caller. */
export function givenIn(
  { decision, message, input, answers, nextMode }: PersonsAnswer,
  request: InputRequest,
): GivenAnswer {
  const edited = input && withOriginals(input, request);
  const isPlan = request.kind === 'plan_review';
  return {
    decision,
    message: message?.trim() || undefined,
    ...(edited === undefined ? {} : isPlan ? { plan: planIn(edited) } : { updatedInput: edited }),
    answers: answers && chosenIn(answers, request),
    nextMode,
  };
}

/** An edit as it would run: what the person left alone is the original. Undefined if nothing was changed. */
function withOriginals(edited: JsonObject, request: InputRequest): JsonObject | undefined {
  const restored = restore(edited, displayed(request.shown.input), request.input);
  if (JSON.stringify(restored) === JSON.stringify(request.input)) return undefined;
  // What was left alone would be the secret again, and the edit could take it elsewhere.
  refuseUnreadEdit(request);
  return restored as JsonObject;
}

/** An input can be edited many times. */
const displayed = oncePerKey(exactIn);

/** Replaces each key and text that equals what was displayed by what it stands for, and escaped backslashes elsewhere. */
function restore(edited: unknown, displayed: unknown, original: unknown): unknown {
  if (typeof edited === 'string') return edited === displayed ? original : restoredText(edited, displayed);
  if (Array.isArray(edited) && Array.isArray(displayed) && Array.isArray(original))
    return edited.map((value, index) => restore(value, displayed[index], original[index]));
  if (!isObject(edited) || !isObject(displayed) || !isObject(original)) return edited;
  const keys = Object.keys(original);
  // Displaying an object changes the names of its keys, but not their order.
  const keyOf = new Map(Object.keys(displayed).map((key, index) => [key, keys[index] ?? key]));
  return Object.fromEntries(
    Object.entries(edited).map(([name, value]) => {
      const key = keyOf.get(name) ?? name;
      return [key, restore(value, ownValue(displayed, name), ownValue(original, key))];
    }),
  );
}

/** The person may have typed what looks like an escaped backslash, unless the text had one before. */
function restoredText(edited: string, displayed: unknown): string {
  const hadBackslashes = typeof displayed === 'string' && restoreBackslashes(displayed) !== displayed;
  return hadBackslashes ? restoreBackslashes(edited) : edited;
}

function planIn({ plan }: JsonObject): string {
  if (typeof plan === 'string') return plan;
  throw new AppError('plan_unreadable');
}

/** The choices of a person, as options of Claude. Several are joined where Claude reads them. */
function chosenIn(
  answers: Readonly<Record<string, readonly string[]>>,
  { shown }: InputRequest,
): GivenAnswers {
  const questions = questionsIn(shown.input);
  return Object.fromEntries(
    Object.entries(answers)
      .map(([key, chosen]) => [key, chosen.map((text) => text.trim()).filter((text) => text !== '')] as const)
      .filter(([, chosen]) => chosen.length > 0)
      .map(([key, chosen]) => {
        const index = questions.findIndex(({ question }) => exact(question) === key);
        const labels = questions[index]?.options.map((option) => exact(option).trim()) ?? [];
        const choices = chosen.map((text) =>
          labels.includes(text) ? { option: labels.indexOf(text) } : text,
        );
        return [index < 0 ? key : String(index), choices];
      }),
  );
}
