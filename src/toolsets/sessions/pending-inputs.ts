import { cutMiddle } from '../../core/text/escape.js';
import type { InputRequest } from '../../core/session/inputs.js';
import { ApproverText } from '../../core/view.js';
import { presentInput, type AnswerRights, type PresentedInput } from '../../inputs/present.js';
import { quoteCode, quoteWords } from '../../inputs/quote.js';
import type { ReadingCalls } from '../shared/wording/vocabulary.js';
import { shortening } from './shortened-object.js';

interface Asked {
  readonly rights: AnswerRights;
  readonly read: ReadingCalls;
}

/** The open requests of a session in about `room` characters. Of very many, only the first are shown. */
export function pendingInputs(
  requests: readonly InputRequest[],
  asked: Asked,
): (room: number) => Record<string, unknown> {
  const inputs = requests.slice(0, maxShown).map((request) => pendingInput(request, asked));
  return (room) => {
    const shown = inputs.slice(0, Math.max(1, Math.floor(room / bareChars)));
    const share = Math.floor(room / Math.max(1, shown.length));
    return {
      pendingInputs: new ApproverText(shown.map((input) => input(share))),
      morePendingInputs: requests.length - shown.length || undefined,
    };
  };
}

/** A request takes about this many characters even without its input. */
const bareChars = 400;
/** No answer has room for more. */
const maxShown = 20;

function pendingInput(
  request: InputRequest,
  { rights, read }: Asked,
): (room: number) => Record<string, unknown> {
  // In full, because it is shortened below in a way that keeps it an object.
  const whole = presentInput(request, Number.POSITIVE_INFINITY, rights);
  const { requestId: inputId, type, toolName } = whole;
  const description = inWords(whole, request, rights);
  const content = contentOf(whole);
  const shorten = shortening(content);
  return (room) => {
    const toolInput = shorten(room);
    return {
      inputId,
      type,
      toolName,
      toolInput,
      description: cutMiddle(description, Math.max(80, room)),
      readMore: toolInput === content ? undefined : read.input?.(request.sessionId, inputId),
    };
  };
}

function contentOf({ plan, questions, input }: PresentedInput): Record<string, unknown> {
  return {
    ...(typeof input === 'object' ? input : {}),
    ...(plan === undefined ? {} : { plan }),
    ...(questions === undefined ? {} : { questions }),
  };
}

/** The form does not depend on a call that waits, as none of these tools does. */
const whoseForm = 'Only a person may approve this, in the form that their client shows. You may deny it';

function inWords(whole: PresentedInput, { shown }: InputRequest, rights: AnswerRights): string {
  const { summary, server, leadsTo, whoApproves } = whole;
  const { folder, reason, blockedPath, agent } = shown;
  return [
    summary,
    server && `Server: ${server}`,
    folder && `Present folder: ${quoteCode(folder, 200)}`,
    leadsTo && `Leads to: ${leadsTo}`,
    reason && `Reason: ${quoteWords(reason, 200)}`,
    blockedPath && `Path: ${quoteCode(blockedPath, 200)}`,
    agent && `Subagent: ${quoteWords(agent, 80)}`,
    whoApproves !== undefined && rights === 'deny' ? whoseForm : whoApproves,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('. ');
}
