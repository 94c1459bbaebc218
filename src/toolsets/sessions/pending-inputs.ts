import { cutMiddle } from '../../core/text/escape.js';
import type { InputRequest } from '../../core/session/inputs.js';
import { ApproverText } from '../../core/view.js';
import { presentInput, type PresentedInput } from '../../inputs/present.js';
import { quoteCode, quoteWords } from '../../inputs/quote.js';
import { shortenedObject } from './shortened-object.js';

interface PendingInput extends Pick<PresentedInput, 'type' | 'toolName'> {
  readonly inputId: string;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly description: string;
}

/** The open requests of a session in about `room` characters. Of very many, only the first are shown. */
export function pendingInputs(
  requests: readonly InputRequest[],
  mayApprove: boolean,
  room: number,
): Record<string, unknown> {
  const shown = requests.slice(0, Math.max(1, Math.floor(room / 400)));
  const share = Math.floor(room / Math.max(1, shown.length));
  return {
    pendingInputs: new ApproverText(shown.map((request) => present(request, mayApprove, share))),
    morePendingInputs: requests.length - shown.length || undefined,
  };
}

function present(request: InputRequest, mayApprove: boolean, room: number): PendingInput {
  // In full, because it is shortened below in a way that keeps it an object.
  const whole = presentInput(request, Number.POSITIVE_INFINITY, mayApprove);
  const { requestId: inputId, type, toolName } = whole;
  return {
    inputId,
    type,
    toolName,
    toolInput: shortenedObject(contentOf(whole), room),
    description: cutMiddle(inWords(whole), Math.max(80, room)),
  };
}

function contentOf({ plan, questions, input }: PresentedInput): Record<string, unknown> {
  return {
    ...(typeof input === 'object' ? input : {}),
    ...(plan === undefined ? {} : { plan }),
    ...(questions === undefined ? {} : { questions }),
  };
}

function inWords({ summary, server, reason, blockedPath, agent, accepts }: PresentedInput): string {
  return [
    summary,
    server && `Server: ${server}`,
    reason && `Reason: ${quoteWords(reason, 200)}`,
    blockedPath && `Path: ${quoteCode(blockedPath, 200)}`,
    agent && `Subagent: ${quoteWords(agent, 80)}`,
    accepts.includes('allow') ? undefined : 'Only a person may approve this, but you may deny it',
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('. ');
}
