import type { AnsweredBy, Decision, InputKind } from './events.js';
import type { PermissionMode } from '../options/tools.js';

/** What Claude Code asks of a person or caller. Backends build it; the broker owns it from then on. */
export interface InputAsk {
  readonly kind: InputKind;
  readonly toolName: string;
  readonly toolUseId: string;
  /** The original bytes: an allow runs exactly these. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The agent's own words about the call; never to be trusted. */
  readonly claudeSays?: string;
  readonly reason?: string;
  readonly blockedPath?: string;
  readonly agentId?: string;
  /** False where the same call will be asked again whatever is granted. */
  readonly isGrantable?: boolean;
  /** Rules that Claude Code offers to add for this tool, as text: `Bash(npm run *)`. */
  readonly suggestedRules?: readonly string[];
  /** It runs as it was asked or not at all: nothing can be edited or added to an allow. */
  readonly isFixed?: boolean;
}

/** A change of what the session may do, that lasts as long as the session. */
export type PermissionUpdate =
  | { readonly type: 'addRules'; readonly rules: readonly string[] }
  | { readonly type: 'setMode'; readonly mode: PermissionMode }
  | { readonly type: 'addDirectories'; readonly directories: readonly string[] };

export type InputAnswer =
  | {
      readonly decision: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      /** The mode after an approved plan. */
      readonly nextMode?: PermissionMode;
      /** Named by whoever answered: changes for the rest of the session. */
      readonly updates?: readonly PermissionUpdate[];
      /** Also for the rest of the session: the same call, and what the suggested rules cover. */
      readonly forSession?: boolean;
    }
  | { readonly decision: 'deny'; readonly message: string; readonly interrupt: boolean };

export type AllowAnswer = Extract<InputAnswer, { decision: 'allow' }>;

export interface InputRequest extends InputAsk {
  /** The same without its secrets: whatever leaves the server is made of this copy. */
  readonly shown: InputAsk;
  readonly requestId: string;
  readonly sessionId: string;
  readonly askedAt: number;
  readonly expiresAt: number | undefined;
}

export interface SettledInput {
  readonly request: InputRequest;
  readonly answer: InputAnswer;
  readonly decision: Decision;
  readonly answeredBy: AnsweredBy;
}
