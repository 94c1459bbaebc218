import type { BackendHost, Prompt } from '../../core/claude/backend.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { PermissionMode } from '../../core/options/tools.js';
import type { ForkOrigin } from './fork-origin.js';

/** What the next prompt needs from the process that runs it. */
export interface LaunchPlan {
  readonly options: EffectiveOptions;
  readonly grantedRules: readonly string[];
  readonly asksFirst: boolean;
  /** Asked when a process starts: only then is it known what the last one has cost. */
  readonly budgetLeftUsd: () => number | undefined;
  /** The session to branch off, for the first launch of a fork. */
  readonly forkOf: ForkOrigin | undefined;
  /** The message to continue from; undefined means the last one. */
  readonly resumeAt: string | undefined;
  /** Modes in which the prompt must not run. */
  readonly barredModes: readonly PermissionMode[];
}

/** A prompt to be sent to a process. */
export interface Delivery {
  readonly prompt: Prompt;
  readonly plan: LaunchPlan;
  /** Settles when the prompt is on record. Claude Code must not see it before: the next server must know of it. */
  readonly recorded: Promise<void>;
  /** False once the turn was stopped while Claude Code was starting. */
  readonly isWanted: () => boolean;
  readonly onSent: () => void;
  /** The turn was stopped before, and no process works on it. */
  readonly onUnsent: () => void;
  /** The process works on the prompt: from now on, its time counts. */
  readonly onReady: () => void;
}

/** What the processes of a session report to. */
export interface ProcessOwner extends BackendHost {
  /** A process has exited that could not write its answers, so the next one does not know them. */
  onForgotten(): Promise<void>;
  /** A process has exited, and another one gets the prompt. */
  onReplaced(): void;
}

/** Why a process is needed: a prompt, or a control request without one. */
export type Wanted = Pick<Delivery, 'plan' | 'isWanted'> & { readonly prompt?: Prompt | undefined };
