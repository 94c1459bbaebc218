import type { EffectiveOptions, OptionName } from '../../core/options/index.js';
import type { SessionState } from '../../core/session/session-state.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import type { GrantRecord } from '../../inputs/grants.js';
import type { SharedBudget } from '../../state/money/shared-budget.js';
import type { SettledRequest } from '../approval/session-approvals.js';
import type { Totals } from '../budget/totals.js';
import type { Conversation } from '../process/conversation.js';
import type { ForkOrigin } from '../process/fork-origin.js';
import type { SessionFeed } from '../report/session-feed.js';
import type { SlotHolder } from '../services/slots.js';
import type { Turn } from './turn.js';

/** A prompt whose turn ended with its server. It can run again. */
export interface CutTurn {
  /** What the caller asked, redacted. */
  readonly prompts: readonly string[];
  /** Paths of the files that went with them. They are read again when the turn runs again. */
  readonly attachments?: readonly string[];
  /** The message from which it continued; undefined means the last one. */
  readonly resumeAt?: string;
  /** A secret is missing, so the prompts cannot run again as they are. */
  readonly isRedacted?: true;
}

/** The state of a session when it enters memory: new, forked, or restored from its record. */
export interface Beginning {
  readonly state: SessionState;
  readonly turn: number;
  readonly totals: Totals;
  readonly options: EffectiveOptions;
  readonly conversation: Conversation;
  readonly budget: SharedBudget;
  /** The session it branches off, for the first process of a fork. */
  readonly forkOf?: ForkOrigin | undefined;
  /** The beginning of its first prompt, in one line. */
  readonly firstPrompt?: string | undefined;
  /** The turn that an earlier server could not end. */
  readonly cutTurn?: CutTurn | undefined;
  /** Requests that ended with it. */
  readonly voided?: readonly string[] | undefined;
  /** The turn after which Claude Code has forgotten answers. */
  readonly forgotAfter?: number | undefined;
  /** Prompts that waited for it. */
  readonly kept?: readonly string[] | undefined;
  /** Options from before that are no longer in force. */
  readonly notRestored?: readonly OptionName[] | undefined;
  readonly settled?: readonly SettledRequest[] | undefined;
  /** Approvals for the session: they survive processes and servers, and are copied to a fork. */
  readonly grants?: GrantRecord | undefined;
  /** When it was last used, if that was before it entered memory. */
  readonly lastUsedAt?: number;
}

export interface TurnLoopSeed extends Beginning {
  readonly sessionId: string;
  readonly holder: SlotHolder;
  readonly feed: SessionFeed;
  /** Called whenever something changed that outlives the process. */
  readonly onChanged: () => void;
  /** The estimated cost of the running turn has changed. */
  readonly onCostChanged: () => void;
  /** Writes the current state. Rejects if that fails and the turn may not run unrecorded. */
  readonly saved: () => Promise<void>;
  readonly onSpent: (report: TurnReport) => void;
}

export function cutTurnOf({ asked, resumeAt }: Pick<Turn, 'asked' | 'resumeAt'>): CutTurn {
  const attachments = asked.flatMap(({ attachments: files = [] }) => files.map(({ path }) => path));
  return {
    prompts: asked.map(({ text }) => text),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(resumeAt === undefined ? {} : { resumeAt }),
  };
}
