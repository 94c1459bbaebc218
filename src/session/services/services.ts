import type { Backend } from '../../core/claude/backend.js';
import type { Clock } from '../../core/clock.js';
import type { IdSource } from '../../core/ids.js';
import type { Logger } from '../../core/observability/logger.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { InputBroker } from '../../inputs/broker.js';
import type { PolicySettings } from '../../policy/settings.js';
import type { DayBudget } from '../budget/allowance.js';
import type { Permits } from './permits.js';
import type { ObserveProcess } from './process-observer.js';
import type { SparePool } from './spare-pool.js';
import type { Slots } from './slots.js';

/** The operator's rules for approvals that a single session needs. */
export interface ApprovalRules extends Pick<PolicySettings, 'preallow'> {
  /** Callers may not approve anything. */
  readonly isHumanOnly: boolean;
  /** Whether a person may be asked at this moment, so that what callers allowed for other clients does not count. */
  readonly isPersonAsked: (sessionId: string) => boolean;
  /** Whether callers may read the conversations of sessions that others started. */
  readonly mayReadOthers: boolean;
  /** Whether pre-approved reading and editing is limited to the session's folders at this moment. */
  readonly isReadingBounded: (sessionId: string) => boolean;
  /** Rules that the operator listed: those with an absolute path extend the session's folders. */
  readonly operatorRules: readonly string[];
}

export interface SessionLimits {
  /** An idle process is closed after this time; the next reply resumes the session. */
  readonly idleProcessMs: number;
  /** No turn lasts longer than this, even if it waits for a person. */
  readonly longestRunMs: number;
  /** No prompt makes more model calls than this, including those of subagents; undefined means no limit. */
  readonly maxModelCalls: number | undefined;
  /** No session may cost more than this; undefined means no limit. */
  readonly maxBudgetUsd: number | undefined;
  /** An unanswered request ends its turn instead of only being denied. */
  readonly interruptOnTimeout: boolean;
}

/** What all sessions of this server share. */
export interface SessionServices {
  readonly backend: Backend;
  readonly broker: InputBroker;
  readonly dayBudget: DayBudget;
  readonly slots: Slots;
  readonly permits: Permits;
  /** Undefined unless the operator wants processes to wait for new sessions. */
  readonly spares?: SparePool | undefined;
  readonly observers: readonly ObserveProcess[];
  readonly approvalRules: ApprovalRules;
  readonly limits: SessionLimits;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly meter: Meter;
  readonly redactor: Redactor;
}
