import type { AppError } from '../errors.js';
import type { Abilities } from './abilities.js';
import type { EventBody } from '../session/events.js';
import type { GateDecision, ToolCall } from './gate.js';
import type { InputAnswer, InputAsk } from '../session/inputs.js';
import type { EffectiveOptions } from '../options/index.js';
import type { PermissionMode } from '../options/tools.js';
import type { TraceContext } from '../trace.js';
import type { TurnReport } from '../session/turn-result.js';

/** Port: something that runs Claude Code. One BackendProcess is one live Claude Code. */
export interface Backend {
  /** As the operator chooses it. */
  readonly name: string;
  readonly abilities: Abilities;
  /** Loads what is slow to load, so that the first session does not pay for it. */
  prepare(): Promise<void>;
  /** Starts a process. Never throws: `onExit` reports what goes wrong. */
  open(launch: Launch, host: BackendHost): BackendProcess;
}

export interface Launch {
  /** Claude's own id of the conversation: new for start and fork, existing for resume. */
  readonly claudeSessionId: string;
  readonly from:
    | { readonly type: 'start' }
    /** `at`: the last message that is kept; undefined = all of them. */
    | { readonly type: 'resume'; readonly at?: string | undefined }
    | { readonly type: 'fork'; readonly claudeSessionId: string; readonly at?: string | undefined };
  readonly options: EffectiveOptions;
  /** Rules that were granted in this session before, by an approver. */
  readonly grantedRules: readonly string[];
  /** What is left of the budget: Claude's own counter starts anew with each process. */
  readonly budgetLeftUsd: number | undefined;
  /** What Claude Code's own telemetry, and whatever it starts, can go on from. */
  readonly trace?: TraceContext | undefined;
}

/** What a process tells its session. Called in the order in which Claude Code spoke. */
export interface BackendHost {
  onSignal(signal: BackendSignal, raw: unknown): void;
  /** Every message itself, before what is made of it; only there when somebody listens as the process starts. */
  readonly onMessage: ((message: unknown) => void) | undefined;
  /** Asked before every tool call; a backend that cannot ask in time must declare it. */
  judge(call: ToolCall): GateDecision;
  /** Resolves with the answer; `signal` aborts when Claude Code withdraws the question. */
  onAsk(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer>;
  /** The process is gone and nothing of it is left. Called exactly once. */
  onExit(exit: ProcessExit): void;
}

/** A part of an answer of the model, as far as its price depends on it. */
export interface AnswerPart {
  /** The same for all parts of one answer. */
  readonly id: string;
  /** The tokens so far, in the words of the API. */
  readonly usage: Readonly<Record<string, unknown>>;
  /** Of this part's content. */
  readonly chars: number;
}

export type BackendSignal =
  /** Once a turn; /clear gives Claude's side a new id. */
  | {
      readonly type: 'init';
      readonly claudeSessionId: string;
      readonly tools: readonly string[];
      readonly permissionMode: string;
    }
  | { readonly type: 'event'; readonly event: EventBody }
  /** The permission mode has changed, by the model or by somebody's answer. */
  | { readonly type: 'mode'; readonly permissionMode: string }
  /** A piece of the text that is being written; only with includePartialMessages. */
  | { readonly type: 'writing'; readonly text: string }
  | { readonly type: 'message_seen'; readonly uuid: string; readonly answer?: AnswerPart }
  /** Claude Code calls the API again; `status` is what it had answered, undefined when it had not. */
  | { readonly type: 'api_retry'; readonly status: number | undefined }
  /** A turn that no prompt of ours caused: a background task has finished. */
  | { readonly type: 'activity'; readonly state: 'running' | 'idle' }
  | { readonly type: 'tasks'; readonly tasks: readonly BackgroundTask[] }
  | {
      readonly type: 'result';
      /** The prompts this result answers, by the uuids we sent; empty for an unsolicited turn. */
      readonly promptUuids: readonly string[];
      readonly unsolicited: boolean;
      readonly report: TurnReport;
    };

export interface BackgroundTask {
  readonly taskId: string;
  readonly text: string;
}

export interface ProcessExit {
  /** In words for the caller. */
  readonly reason: string;
  readonly stderrTail: string;
  /** True when the executable could not be started at all. */
  readonly neverStarted: boolean;
  /** Why the backend did not start it, where it knows better than the system. */
  readonly refusal?: AppError | undefined;
  /** True when that was because the system had no process to spare at that moment. */
  readonly isTransient?: boolean;
}

export interface Prompt {
  readonly uuid: string;
  readonly text: string;
  /** `steer` joins the running turn at its next tool boundary. */
  readonly delivery: 'turn' | 'steer';
  /** Of the call that has brought it. */
  readonly trace?: TraceContext | undefined;
}

/** How full the model's context is. */
export interface ContextUsage {
  readonly totalTokens: number;
  readonly maxTokens: number;
  readonly percentage: number;
}

export interface McpServerState {
  readonly name: string;
  readonly status: string;
  readonly error?: string;
}

/** What restoring files changes. A real one may tell less than a preview. */
export interface Rewinding {
  readonly files: readonly string[];
  readonly insertions: number;
  readonly deletions: number;
  /** Files that were left alone because a link stands in their place. */
  readonly skippedLinks: number;
}

/**
 * What a live process can be asked beside prompts, also before the first one. A backend leaves out what it cannot do,
 * and the caller is told so.
 */
export interface ProcessControls {
  setModel?(model: string): Promise<void>;
  setPermissionMode?(mode: PermissionMode): Promise<void>;
  contextUsage?(): Promise<ContextUsage>;
  mcpServers?(): Promise<readonly McpServerState[]>;
  /** Restores the files as they were before this prompt; undefined when there is no checkpoint of it. */
  rewindFiles?(messageId: string, how: { readonly dryRun: boolean }): Promise<Rewinding | undefined>;
}

export interface BackendProcess extends ProcessControls {
  readonly pid: number | undefined;
  /** The last words on its error stream. */
  readonly stderrTail: string;
  send(prompt: Prompt): void;
  /** Stops the running turn; its result follows as a signal. Resolves when Claude Code has taken note. */
  interrupt(): Promise<void>;
  /** Ends the process and all its descendants, by the schedule; resolves when nothing is left. Idempotent. */
  stop(): Promise<void>;
}
