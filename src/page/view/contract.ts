import type { JsonObject } from '../../core/json.js';
import type { InputKind } from '../../core/session/events.js';
import type { SessionRow } from '../contract.js';

/** What the view gets with every call. */
export interface Overview {
  /** Whether this client may do more than deny. */
  readonly mayApprove: boolean;
  readonly requests: readonly OverviewRequestRow[];
  readonly moreRequests: number | undefined;
  readonly sessions: readonly SessionRow[];
  readonly moreSessions: number | undefined;
  readonly session?: SessionRow;
  readonly events?: readonly JsonObject[];
  /** The last event in `events`. */
  readonly cursor?: number;
  readonly droppedEvents?: number | undefined;
  readonly result?: string | undefined;
}

export interface OverviewRequestRow {
  readonly requestId: string;
  readonly sessionId: string;
  readonly kind: InputKind;
  readonly summary: string;
  /** The page, if only people may approve. */
  readonly answerAt: string | undefined;
}

/** A part of the JSON of a request. */
export interface CardPage {
  readonly requestId: string;
  readonly card: string;
  readonly offset: number;
  readonly chars: number;
}
