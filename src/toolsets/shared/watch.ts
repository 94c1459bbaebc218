import type { WaitTarget } from '../../sessions/waits.js';

/** What a call waits for, and what it tells when the wait is over. */
export interface Watch {
  readonly targets: readonly WaitTarget[];
  readonly mode: 'any' | 'all';
  /** As the caller asked; 0 = tell at once. */
  readonly waitMs: number;
  /** A person may be shown a form although nothing is waited for. */
  readonly asksAtOnce?: boolean;
  /** What the caller had seen of the first session when the call began. */
  readonly seen: number;
  readonly tell: (news: News) => string;
}

export interface News {
  /** Undefined when nobody asked to wait. */
  readonly waitedMs: number | undefined;
  /** Set when the caller asked for more than the operator grants. */
  readonly waitLimitMs: number | undefined;
  /** Whether this caller may do more than deny what it is told of. */
  readonly mayApprove: boolean;
}
