import type { AnsweredBy, Decision, InputKind } from './events.js';
import type { PermissionMode } from '../options/tools.js';

/** Stands last in `leadsTo` if there are more links than were looked at. No path is equal to it. */
export const moreLinks = '…';

/** A request from Claude Code to a person or caller. Backends create it; the broker owns it from then on. */
export interface InputAsk {
  readonly kind: InputKind;
  readonly toolName: string;
  readonly toolUseId: string;
  /** The original input: an approval runs exactly this. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The agent's own description of the call; never trust it. */
  readonly claudeSays?: string;
  readonly reason?: string;
  readonly blockedPath?: string;
  /** Where the call starts, if a command has moved the session away from its own folder. */
  readonly folder?: string;
  /** The real paths of files that the call names by links, or a command could reach by them. */
  readonly leadsTo?: readonly string[];
  /** The kind of subagent that makes the call, such as `Explore`. */
  readonly agent?: string;
  /** For a tool of an MCP server. */
  readonly server?: ServerOrigin;
  /** False if Claude Code asks about the same call again despite a grant. */
  readonly isGrantable?: boolean;
  /** Rules that Claude Code suggests for this tool, as text: `Bash(npm run *)`. */
  readonly suggestedRules?: readonly string[];
  /** The call runs unchanged or not at all: an approval cannot edit or add anything. */
  readonly isFixed?: boolean;
}

export interface ServerOrigin {
  readonly broughtBy: 'caller' | 'user';
  /** The host or the program; empty if it is unknown, as for plugins and connectors. */
  readonly address: string;
}

/** A permission change that lasts as long as the session. */
export type PermissionUpdate =
  | { readonly type: 'addRules'; readonly rules: readonly string[] }
  | { readonly type: 'denyRules'; readonly rules: readonly string[] }
  | { readonly type: 'setMode'; readonly mode: PermissionMode }
  | {
      readonly type: 'addDirectories';
      readonly directories: readonly string[];
      /** The user does not trust all of them, so that no process may start with project settings. */
      readonly isUntrusted?: boolean;
      /** Plugins of the user whose language servers must not run then. */
      readonly languagePlugins?: readonly string[];
    };

export type InputAnswer =
  | {
      readonly decision: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      /** The permission mode after an approved plan. */
      readonly nextMode?: PermissionMode;
      /** Changes for the rest of the session, named by the approver. */
      readonly updates?: readonly PermissionUpdate[];
      /** Also allows the same call, and everything the suggested rules cover, for the rest of the session. */
      readonly forSession?: boolean;
    }
  | { readonly decision: 'deny'; readonly message: string; readonly interrupt: boolean };

export type AllowAnswer = Extract<InputAnswer, { decision: 'allow' }>;

export interface InputRequest extends InputAsk {
  /** The request as approvers read it: the text that would run, in which only secrets of the operator are masked. */
  readonly shown: InputAsk;
  /** Whether a secret is masked in `shown`: nobody can allow for a whole session what they have not read in full. */
  readonly isMasked?: boolean;
  readonly requestId: string;
  readonly sessionId: string;
  /** The page on which a person answers, if the operator lets only people approve. */
  readonly answerAt?: string | undefined;
  readonly askedAt: number;
  readonly expiresAt: number | undefined;
}

export interface SettledInput {
  readonly request: InputRequest;
  readonly answer: InputAnswer;
  readonly decision: Decision;
  readonly answeredBy: AnsweredBy;
  /** The name of the device, if a person answered on the page. */
  readonly device?: string;
}
