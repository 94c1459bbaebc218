import type { AppError } from '../core/errors.js';
import type { ParamsOf } from '../core/reasons/index.js';
import type { AnsweredBy, Decision } from '../core/session/events.js';
import type { SettledInput } from '../core/session/inputs.js';
import type { Settlement } from './contract.js';
import { visible } from './wording/texts.js';

interface Settled extends Omit<Settlement, 'by' | 'device'> {
  readonly answeredBy: AnsweredBy;
  readonly device?: string | undefined;
}

export function toSettlement({
  requestId,
  sessionId,
  decision,
  answeredBy,
  device,
  at,
}: Settled): Settlement {
  return {
    requestId,
    sessionId,
    decision,
    by: answeredBy,
    ...(device === undefined ? {} : { device: visible(device) }),
    at,
  };
}

export function settlementOf({ request, ...settled }: SettledInput, at: number): Settlement {
  const { requestId, sessionId } = request;
  return toSettlement({ requestId, sessionId, at, ...settled });
}

/** Who was first, for a late answer. */
export function firstIn({ reason, params }: AppError): Settlement | undefined {
  return reason === 'request_settled' ? fromBroker(params as ParamsOf<'request_settled'>) : undefined;
}

/** As the broker remembers it. */
export function fromBroker({ sessionId = '', at = 0, ...settled }: ParamsOf<'request_settled'>): Settlement {
  return toSettlement({
    ...settled,
    sessionId,
    at,
    decision: settled.decision as Decision,
    answeredBy: settled.answeredBy as AnsweredBy,
  });
}
