import { cutMiddle } from '../../core/text/escape.js';
import type { InputRequest } from '../../core/session/inputs.js';
import { presentInput, type PresentedInput } from '../../inputs/present.js';
import { shortenedObject } from './shortened-object.js';

interface PendingInput extends Pick<PresentedInput, 'type' | 'toolName'> {
  readonly inputId: string;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly description: string;
}

/** What a session asks for, within about `room` characters; very many at once are shown a few at a time. */
export function pendingInputs(
  requests: readonly InputRequest[],
  mayApprove: boolean,
  room: number,
): Record<string, unknown> {
  const shown = requests.slice(0, Math.max(1, Math.floor(room / 400)));
  const share = Math.floor(room / Math.max(1, shown.length));
  return {
    pendingInputs: shown.map((request) => present(request, mayApprove, share)),
    morePendingInputs: requests.length - shown.length || undefined,
  };
}

function present(request: InputRequest, mayApprove: boolean, room: number): PendingInput {
  // Whole: it is shortened here, so that it stays an object.
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

function inWords({ summary, reason, blockedPath, agent, accepts }: PresentedInput): string {
  return [
    summary,
    reason && `Reason: ${reason}`,
    blockedPath && `Path: ${blockedPath}`,
    agent && `Subagent: ${agent}`,
    accepts.includes('allow') ? undefined : 'Only a person may approve this, but you may deny it',
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('. ');
}
