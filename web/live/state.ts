import type {
  Card,
  Me,
  PageError,
  PersonAnswer,
  SessionRow,
  Settlement,
  TimelineEvent,
} from '../../src/page/contract.js';

/**
 * `gone`: settled while this page was disconnected, so that the page cannot name who answered.
 */
export type Phase = 'open' | 'sent' | 'settled' | 'gone';

/** A request as the page keeps it. It stays after its settlement until a person leaves the inbox. */
export interface Request {
  readonly card: Card;
  readonly phase: Phase;
  /** The answer of this page, while it is on its way and afterwards. */
  readonly answer?: PersonAnswer;
  readonly settlement?: Settlement;
  readonly error?: PageError;
}

export type Link = 'connecting' | 'live' | 'lost' | 'signed_out';

export interface Timeline {
  readonly sessionId: string;
  readonly events: readonly TimelineEvent[];
  readonly dropped: number;
}

export interface State {
  readonly link: Link;
  /** Local time of the last message, and of the moment when the connection was lost. */
  readonly heardAt: number;
  readonly isStale: boolean;
  /** Local time at which the view became stale: what is shown is of this moment. */
  readonly staleSince: number;
  /** Server time minus local time. */
  readonly skew: number;
  readonly hasInbox: boolean;
  readonly requests: readonly Request[];
  readonly rows: ReadonlyMap<string, SessionRow>;
  readonly timeline: Timeline | undefined;
  readonly me: Me | undefined;
}

export const initialState: State = {
  link: 'connecting',
  heardAt: 0,
  isStale: false,
  staleSince: 0,
  skew: 0,
  hasInbox: false,
  requests: [],
  rows: new Map(),
  timeline: undefined,
  me: undefined,
};

export function isOpen(request: Request): boolean {
  return request.phase === 'open' || request.phase === 'sent';
}

export function openCount(state: State): number {
  return state.requests.filter(isOpen).length;
}
