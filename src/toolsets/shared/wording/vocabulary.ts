import type { Keys } from '../../../core/reasons/reason.js';
import type { OpenRequest } from '../../../core/reasons/sessions.js';
import type { InputKind } from '../../../core/session/events.js';

/** Limits of a session that a caller may be able to raise. */
export type Limit = 'maxTurns' | 'maxBudgetUsd' | 'timeoutMs';

/** The calls that page through long texts. Missing if no tool shows such a text. */
export interface ReadingCalls {
  /** The result of the last turn, from `offset` on. */
  readonly result?: (sessionId: string, offset: number) => string;
  /** The input of an open request. */
  readonly input?: (sessionId: string, requestId: string) => string;
  /** Everything that Claude has said. */
  readonly output?: (sessionId: string) => string;
  /** What else a session has that answers truncate, such as kept prompts. `isSensitive`: with its sensitive details. */
  readonly details?: (sessionId: string, isSensitive: boolean) => string;
  /** The files that a rewind would restore. */
  readonly restored?: (sessionId: string, messageId: string) => string;
  /** The messages of the conversation. */
  readonly messages?: (sessionId: string) => string;
  /** One of these messages. */
  readonly message?: (sessionId: string, messageId: string) => string;
}

/** A call as callers read it. */
export function callText(tool: string, args: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(args)}`;
}

/**
 * What the callers of one toolset can do, and how its tools name it. Undefined means that they cannot: next steps leave
 * it out. Phrases are imperatives, without a capital letter or a full stop.
 */
export interface Vocabulary {
  /** What the tools call an option or a field. */
  readonly keys: Keys;
  /** Whether its tools have an option or a field at all. */
  readonly has: (name: string) => boolean;
  /** What its tools call a value of an option. Undefined if they do not take this value. */
  readonly valueOf: (option: string, value: string) => string | undefined;
  /** The tool that starts Claude Code. */
  readonly start: string | undefined;
  /** To start over: "start a new session". */
  readonly startAgain: string | undefined;
  /** To send another prompt to the session: "reply". */
  readonly reply: string | undefined;
  /** To run a turn again that ended with its server: "reply with resumeInterrupted". */
  readonly resumeInterrupted: string | undefined;
  /** To restore files again. */
  readonly rewindAgain: string | undefined;
  /** The tool that sends a prompt. */
  readonly replyTool: string | undefined;
  /** To try again once the obstacle is removed: "reply again". */
  readonly retry: string | undefined;
  /** The tool that reports the status of a session. */
  readonly check: string | undefined;
  /** When the person sees the form of a request, if it stays away from calls that do not wait for some seconds. */
  readonly whileChecking: ((seconds: number) => string) | undefined;
  /** The call that lists sessions. */
  readonly list: string | undefined;
  /** The tool that answers requests. */
  readonly respond: string | undefined;
  /** How to answer a request of this kind, where it depends on the kind. */
  readonly answerWith: ((kind: InputKind) => string) | undefined;
  /** The call that answers this request. */
  readonly answer: ((request: OpenRequest & { readonly sessionId: string }) => string) | undefined;
  /** Where callers find the id of an open request: "a requestId from actions". */
  readonly openRequest: string | undefined;
  /** To continue in a copy of the session. */
  readonly fork: string | undefined;
  /** To send a prompt that waits for the running turn, or joins it. */
  readonly queue: string | undefined;
  /** To stop the turn of a session. */
  readonly interrupt: ((which: 'it' | 'one' | 'the session') => string) | undefined;
  /** To end a session for good. */
  readonly cancel: string | undefined;
  /** Where a reply changes an option of a session. */
  readonly resumeWith: string | undefined;
  /** The option that gives Claude Code more time to start. */
  readonly initTimeout: string | undefined;
  /** The option that keeps checkpoints of files. */
  readonly checkpoints: string | undefined;
  /** Where callers find the uuids of messages. */
  readonly messageIds: string | undefined;
  /** The calls that read to the end what an answer shows only in part. */
  readonly read: ReadingCalls;
  /** Where callers find the token that proves their right to a session. */
  readonly resumeToken: string | undefined;
  /** The tool that enables bypassPermissions for 30 minutes. */
  readonly enableBypass: string | undefined;
  /** The limits that a start takes, and those that a reply takes. */
  readonly startLimits: readonly Limit[];
  readonly replyLimits: readonly Limit[];
  /** Where the operator changes a setting that these callers cannot. */
  readonly setting: (key: OperatorKey) => string;
  /** How a person runs a command of this program on the server's machine. */
  readonly command: string;
  /** Whether callers may learn paths of the server's machine. */
  readonly isLocal: boolean;
}

/** Settings that a service can have for each principal. */
export type OperatorKey = 'roots' | 'trustedRoots' | 'maxSessions' | 'maxBudgetUsdPerDay';

const variables: Readonly<Record<OperatorKey, string>> = {
  roots: 'CLAUDE_CODE_MCP_ROOTS',
  trustedRoots: 'CLAUDE_CODE_MCP_TRUSTED_ROOTS',
  maxSessions: 'CLAUDE_CODE_MCP_MAX_SESSIONS',
  maxBudgetUsdPerDay: 'CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY',
};

/** The starting point of every toolset's vocabulary. */
export const nothing: Vocabulary = {
  ...keysOf([]),
  start: undefined,
  startAgain: undefined,
  reply: undefined,
  resumeInterrupted: undefined,
  rewindAgain: undefined,
  replyTool: undefined,
  retry: undefined,
  check: undefined,
  whileChecking: undefined,
  list: undefined,
  respond: undefined,
  answerWith: undefined,
  answer: undefined,
  openRequest: undefined,
  fork: undefined,
  queue: undefined,
  interrupt: undefined,
  cancel: undefined,
  resumeWith: undefined,
  initTimeout: undefined,
  checkpoints: undefined,
  messageIds: undefined,
  read: {},
  resumeToken: undefined,
  enableBypass: undefined,
  startLimits: [],
  replyLimits: [],
  setting: (key) => variables[key],
  command: 'claude-code-mcp',
  isLocal: true,
};

/** What keys and values a toolset has, and what it calls them. */
type Names = Pick<Vocabulary, 'keys' | 'has' | 'valueOf'>;

/** For options of which a toolset takes only some values, or gives them other names: what it calls each of these. */
type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Names for a toolset that has only some of the options, a few of them renamed. A session may have been started with
 * options that its tools lack: those are called options of the session.
 */
export function keysOf(
  taken: Iterable<string>,
  renamed: Readonly<Record<string, string>> = {},
  values: Values = {},
): Names {
  const known = new Set(taken);
  return naming((key) => (known.has(key) ? key : undefined), renamed, values);
}

/** Names for a toolset that has every option and nearly every field. */
export function keysWithout(
  missing: Iterable<string>,
  renamed: Readonly<Record<string, string>> = {},
): Names {
  const unknown = new Set(missing);
  return naming((key) => (unknown.has(key) ? undefined : key), renamed, {});
}

function naming(
  usual: (key: string) => string | undefined,
  renamed: Readonly<Record<string, string>>,
  values: Values,
): Names {
  const nameOf = (key: string): string | undefined =>
    Object.hasOwn(renamed, key) ? renamed[key] : usual(key);
  const valueOf = (option: string, value: string): string | undefined => {
    const known = values[option];
    if (known === undefined) return value;
    return Object.hasOwn(known, value) ? known[value] : undefined;
  };
  return {
    has: (name) => nameOf(name) !== undefined,
    valueOf,
    keys(name, value) {
      const [key = '', ...path] = name.split('.');
      const own = nameOf(key);
      const ownValue = value && valueOf(name, value);
      const isTheirs = own !== undefined && (value === undefined || ownValue !== undefined);
      const text = isTheirs ? [own, ...path].join('.') : `option "${name}"`;
      return value === undefined ? text : `${text} "${ownValue ?? value}"`;
    },
  };
}
