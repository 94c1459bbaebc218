import type { Attachment } from './attachment.js';
import type { AppError } from '../errors.js';
import type { EventBody } from '../session/events.js';
import type { GateDecision, ToolCall } from './gate.js';
import type { InputAnswer, InputAsk } from '../session/inputs.js';
import type { EffectiveOptions } from '../options/index.js';
import type { PermissionMode } from '../options/tools.js';
import type { TraceContext } from '../trace.js';
import type { TurnReport } from '../session/turn-result.js';

/** Port: runs Claude Code. One BackendProcess is one live Claude Code process. */
export interface Backend {
  /** The value of CLAUDE_CODE_MCP_BACKEND that selects this backend. */
  readonly name: string;
  /** Time in which Claude Code normally starts. */
  readonly startTimeoutMs: number;
  /** Loads slow modules in advance, so that the first session starts faster. */
  prepare(): Promise<void>;
  /** Starts a process. Never throws: `onExit` reports failures. */
  open(launch: Launch, host: BackendHost): BackendProcess;
  /** The same for a process that waits for its session. Until then it reads nothing of the session's folder. */
  park(launch: Launch, host: BackendHost): ParkedProcess;
}

export interface Launch {
  /** Claude's own id of the conversation: new for a start or fork, existing for a resume. */
  readonly claudeSessionId: string;
  readonly from:
    | { readonly type: 'start' }
    /** `at` is the last message to keep; undefined keeps all of them. */
    | { readonly type: 'resume'; readonly at?: string | undefined }
    | { readonly type: 'fork'; readonly claudeSessionId: string; readonly at?: string | undefined };
  readonly options: EffectiveOptions;
  /** Rules that an approver granted earlier in this session. */
  readonly grantedRules: readonly string[];
  /** Whether nothing but reading may run without approval: in plan mode, and where only people may approve. */
  readonly asksFirst: boolean;
  /** The remaining budget. Claude's own counter restarts with each process. */
  readonly budgetLeftUsd: number | undefined;
  /** The trace that Claude Code's telemetry and its child processes continue. */
  readonly trace?: TraceContext | undefined;
}

/** Receives everything that a process reports, in the order in which Claude Code emitted it. */
export interface BackendHost {
  onSignal(signal: BackendSignal, raw: unknown): void;
  /**
   * Receives every raw message before it is interpreted. Undefined unless there was a listener when the process
   * started.
   */
  readonly onMessage: ((message: unknown) => void) | undefined;
  /** Called before every tool call, before Claude Code applies its own rules. */
  judge(call: ToolCall): GateDecision;
  /** Resolves with the answer; `signal` aborts when Claude Code withdraws the request. */
  onAsk(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer>;
  /** The process and all its descendants have exited. Called exactly once. */
  onExit(exit: ProcessExit): void;
}

/** A part of a model response, with the facts that determine its price. */
export interface AnswerPart {
  /** Shared by all parts of one response. */
  readonly id: string;
  /** Token counts so far, under the API's own keys. */
  readonly usage: Readonly<Record<string, unknown>>;
  /** The length of this part's content. */
  readonly chars: number;
  readonly model?: string | undefined;
  /** The subagent that it was given to. */
  readonly agent?: string;
}

export type BackendSignal =
  /** Emitted once per turn; /clear changes Claude's session id. */
  | {
      readonly type: 'init';
      readonly claudeSessionId: string;
      /** Where Claude Code works. Undefined if it did not say. */
      readonly cwd?: string | undefined;
      readonly model?: string | undefined;
      readonly tools: readonly string[];
      /** The agents that Claude Code knows; undefined if it does not say. */
      readonly agents?: readonly string[] | undefined;
      readonly permissionMode: string;
    }
  | { readonly type: 'event'; readonly event: EventBody }
  /** The permission mode changed, either by the model or through an answer. */
  | { readonly type: 'mode'; readonly permissionMode: string }
  /** A piece of the text being written; only with includePartialMessages. */
  | { readonly type: 'writing'; readonly text: string }
  | { readonly type: 'message_seen'; readonly uuid: string; readonly answer?: AnswerPart }
  /** Claude Code retries an API call; `status` is the HTTP status, undefined if there was no response. */
  | { readonly type: 'api_retry'; readonly status: number | undefined }
  /** Whether Claude Code works on anything: a prompt, or a turn that it began itself. */
  | { readonly type: 'activity'; readonly state: 'running' | 'idle' }
  | { readonly type: 'tasks'; readonly tasks: readonly BackgroundTask[] }
  /** How far Claude Code has got with a prompt. It may first finish work that it began itself. */
  | { readonly type: 'prompt'; readonly uuid: string; readonly state: PromptState }
  | {
      readonly type: 'result';
      /** The prompts that this result answers, by the uuids we sent; empty for an unsolicited turn. */
      readonly promptUuids: readonly string[];
      /** Certainly of a turn that Claude Code began itself. False for a failure that may belong to a prompt. */
      readonly unsolicited: boolean;
      readonly report: TurnReport;
    };

export type PromptState = 'queued' | 'started' | 'completed';

export interface BackgroundTask {
  readonly taskId: string;
  readonly text: string;
  /** Set for a subagent: Claude continues by itself when it ends. */
  readonly isAgent?: true;
}

export interface ProcessExit {
  /** Readable text for the caller. */
  readonly reason: string;
  readonly stderrTail: string;
  /** True if the executable could not be started at all. */
  readonly neverStarted: boolean;
  /** Why the backend refused to start it, where the backend knows more than the operating system. */
  readonly refusal?: AppError | undefined;
  /** True if the system had no process to spare at that moment, so that a retry may succeed. */
  readonly isTransient?: boolean;
}

export interface Prompt {
  readonly uuid: string;
  readonly text: string;
  /** Files that the model gets with it. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** `steer` joins the running turn at its next tool boundary; `turn` waits for its end and gets its own result. */
  readonly delivery: 'turn' | 'steer';
  /** The trace of the call that sent the prompt. */
  readonly trace?: TraceContext | undefined;
}

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

/** The changes made by restoring files. A real restore may report less than a preview. */
export interface Rewinding {
  readonly files: readonly string[];
  readonly insertions: number;
  readonly deletions: number;
  /** Files that were skipped because a link has replaced them. */
  readonly skippedLinks: number;
}

/** Control requests to a live process, also possible before the first prompt. */
export interface ProcessControls {
  setModel(model: string): Promise<void>;
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Adds the restrictions of a mode that Claude Code has entered by itself. */
  followMode(mode: PermissionMode): Promise<void>;
  contextUsage(): Promise<ContextUsage>;
  mcpServers(): Promise<readonly McpServerState[]>;
  /** Restores the files to their state before this prompt; undefined if there is no checkpoint of it. */
  rewindFiles(messageId: string, how: { readonly dryRun: boolean }): Promise<Rewinding | undefined>;
}

export interface BackendProcess extends ProcessControls {
  readonly pid: number | undefined;
  /** The end of its error stream. */
  readonly stderrTail: string;
  send(prompt: Prompt): void;
  /** Stops the running turn; its result follows as a signal. Resolves when Claude Code acknowledges the interrupt. */
  interrupt(): Promise<void>;
  /** Stops the process and all its descendants on the shutdown schedule; resolves when all have exited. Idempotent. */
  stop(): Promise<void>;
}

/** A process that has started before its session. */
export interface ParkedProcess extends BackendProcess {
  /** Resolves when the process can be claimed. Rejects if it exits before. */
  readonly parked: Promise<void>;
  /** Begins its session. Rejects if the session would differ from that of a process that starts now. */
  claim(): Promise<void>;
}
