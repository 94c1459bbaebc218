import type { InputAnswer, InputAsk } from '../../core/session/inputs.js';
import type { Logger } from '../../core/observability/logger.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { SessionState } from '../../core/session/session-state.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import type { InputBroker } from '../../inputs/broker.js';
import type { GrantRecord } from '../../inputs/grants.js';
import type { PolicySettings } from '../../policy/settings.js';
import type { DayBudget } from '../budget/allowance.js';
import type { SharedBudget } from '../../state/shared-budget.js';
import type { Conversation } from '../process/conversation.js';
import type { SupervisorDependencies } from '../process/process-supervisor.js';
import type { ForkOrigin } from '../process/fork-origin.js';
import type { SessionFeed } from '../report/session-feed.js';
import type { SlotHolder } from '../process/slots.js';
import type { Totals } from '../budget/totals.js';

export interface TurnLoopDependencies extends SupervisorDependencies {
  readonly broker: InputBroker;
  readonly logger: Logger;
  readonly redactor: Redactor;
  /** A turn never lasts longer than this, not even one that waits for a person. */
  readonly longestRunMs: number;
  readonly interruptOnTimeout: boolean;
  readonly isHumanOnly: boolean;
  readonly isReadingBounded: boolean;
  readonly policy: Pick<PolicySettings, 'preallow'>;
  readonly day: DayBudget;
}

/** Where a session stands when it begins: new, forked, or read back from its record. */
export interface Beginning {
  readonly state: SessionState;
  readonly turn: number;
  readonly totals: Totals;
  readonly options: EffectiveOptions;
  readonly conversation: Conversation;
  /** The session it branches off, for the first process of a fork. */
  readonly forkOf?: ForkOrigin | undefined;
  readonly pot: SharedBudget;
  /** What was allowed for the session: kept over processes and servers, and taken along by a fork. */
  readonly grants?: GrantRecord | undefined;
}

export interface TurnLoopSeed extends Beginning {
  readonly sessionId: string;
  readonly holder: SlotHolder;
  readonly journal: SessionFeed;
  /** Called whenever something that outlives the process has changed. */
  readonly onChanged: () => void;
  readonly onSpent: (report: TurnReport) => void;
}

/** What the server does itself: it may have to ask first, and tells how it ended. */
export type OwnWork = (ask: (ask: InputAsk) => Promise<InputAnswer>) => Promise<TurnReport>;
