import type { EffectiveOptions } from '../core/options/index.js';
import type { SessionState } from '../core/session-state.js';
import type { TurnReport } from '../core/turn-result.js';
import type { GrantRecord } from '../inputs/grants.js';
import type { Pot } from './budget.js';
import type { Conversation } from './conversation.js';
import type { ForkOrigin } from './fork-origin.js';
import type { Journal } from './journal.js';
import type { SlotHolder } from './slots.js';
import type { Totals } from './totals.js';

/** What a turn loop is made of: new, forked, or read back from a record. */
export interface TurnLoopSeed {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly turn: number;
  readonly totals: Totals;
  readonly options: EffectiveOptions;
  readonly forkOf?: ForkOrigin | undefined;
  readonly pot: Pot;
  readonly grants?: GrantRecord | undefined;
  readonly conversation: Conversation;
  readonly holder: SlotHolder;
  readonly journal: Journal;
  /** Called whenever something that outlives the process has changed. */
  readonly onChanged: () => void;
  readonly onSpent: (report: TurnReport) => void;
}
