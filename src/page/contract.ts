/**
 * What the page and the server say to each other. Types only, because both the browser and the server import this file.
 * Every text is already redacted, and hidden characters are visible (`\u{202e}`): the page displays it as it is. Texts by
 * which a person decides also have an escaped backslash (`\u{5c}`) where they would look like such an escape.
 */
import type { JsonObject } from '../core/json.js';
import type { AnsweredBy, Decision, InputKind } from '../core/session/events.js';
import type { SessionStatus } from '../core/session/session-state.js';

/** Every call is `POST /api/<name>` with its input as JSON. The answer is `output`, or `{ error: PageError }`. */
export interface Calls {
  readonly pair: {
    readonly input: { readonly code: string; readonly name: string };
    readonly output: Paired;
  };
  readonly signIn: {
    readonly input: { readonly password: string; readonly name: string };
    readonly output: Paired;
  };
  readonly me: { readonly input: Empty; readonly output: Me };
  readonly signOut: { readonly input: Empty; readonly output: Empty };
  readonly devices: { readonly input: Empty; readonly output: { readonly devices: readonly Device[] } };
  readonly revoke: { readonly input: { readonly deviceId: string }; readonly output: Empty };

  readonly answer: { readonly input: PersonAnswer; readonly output: Settlement };
  readonly sessions: { readonly input: SessionsQuery; readonly output: SessionsPage };
  readonly session: { readonly input: SessionName; readonly output: SessionDetails };
  /** Older events of a session, before those that the stream has sent. */
  readonly events: {
    readonly input: SessionName & { readonly before: number; readonly limit: number };
    readonly output: { readonly events: readonly TimelineEvent[]; readonly dropped: number };
  };
  /** The input and result of a tool call, when a person unfolds it. */
  readonly toolCall: {
    readonly input: SessionName & { readonly toolUseId: string };
    readonly output: ToolCall;
  };
  readonly changes: {
    readonly input: SessionName;
    readonly output: { readonly files: readonly ChangedFile[] };
  };
  readonly usage: { readonly input: Empty; readonly output: Usage };
  /** Folders in which a session may start, for the start form. */
  readonly folders: {
    readonly input: { readonly begin: string };
    readonly output: { readonly folders: readonly string[] };
  };

  readonly start: { readonly input: NewSession; readonly output: SessionName };
  readonly reply: { readonly input: NewPrompt; readonly output: Empty };
  readonly interrupt: { readonly input: SessionName; readonly output: Empty };
  readonly cancel: { readonly input: SessionName; readonly output: Empty };
}

export type CallName = keyof Calls;
export type Empty = Readonly<Record<string, never>>;

export interface PageError {
  /** A reason of the error catalogue, such as `request_settled`, or `signed_out`. */
  readonly reason: string;
  readonly message: string;
  /** Set if someone else was first. */
  readonly settlement?: Settlement;
  /** Set with `signed_out`: whether the person can sign in with a password. */
  readonly hasPassword?: boolean;
}

export interface Paired {
  readonly device: Device;
  /** Sent with every call in the header `page-key`, because browsers share cookies between all ports of a host. */
  readonly key: string;
}

export interface Device {
  readonly deviceId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** The device that asks. */
  readonly isThis: boolean;
}

export interface Me {
  readonly device: Device;
  readonly principal: string;
  readonly version: string;
  readonly hasPassword: boolean;
  /** The modes in which this person may start a session. */
  readonly modes: readonly string[];
  readonly defaultFolder: string | undefined;
  /** Undefined: no limit. */
  readonly budgetTodayUsd: { readonly spent: number; readonly limit: number } | undefined;
}

/** An open request: what a person needs to decide. */
export interface Card {
  readonly requestId: string;
  readonly sessionId: string;
  readonly kind: InputKind;
  readonly toolName: string;
  /** One line in our own words. */
  readonly summary: string;
  readonly sessionTitle: string;
  /** Where the call runs. */
  readonly folder: string;
  /** The kind of subagent that asks, such as `Explore`. */
  readonly agent?: string;
  readonly what: What;
  /** Everything that runs, as Claude sent it. */
  readonly input: JsonObject;
  /** Keys of the input that contain escapes. Hidden characters cannot be edited, only removed. */
  readonly escaped?: readonly string[];
  /** Claude's own words about the call. Untrusted. */
  readonly claudeSays?: string;
  readonly reason?: string;
  readonly blockedPath?: string;
  /** Who brought the MCP server of the tool, and where it is. */
  readonly server?: string;
  /** Where links take the call. */
  readonly leadsTo?: string;
  /** What "for this session" would also allow. */
  readonly grant?: string;
  readonly accepts: readonly ('allow' | 'allow_for_session' | 'deny')[];
  readonly mayEdit: boolean;
  /** A secret of the operator is masked in the input. */
  readonly isMasked: boolean;
  /** The modes that may follow an approved plan; the first one is the default. */
  readonly nextModes?: readonly string[];
  readonly askedAt: number;
  /** Undefined: it waits until it is answered. */
  readonly expiresAt?: number;
}

/** How the page shows a call. `more`: the other keys of the input, which are shown too. */
export type What =
  | { readonly type: 'command'; readonly command: string; readonly more: JsonObject }
  | {
      readonly type: 'edit';
      readonly path: string;
      /** Undefined: the file does not exist yet, or its content cannot be shown (see `note`). */
      readonly before: string | undefined;
      readonly after: string;
      /** The originals are the same. Without it, they can differ in what is masked or truncated here. */
      readonly isSame?: true;
      readonly note?: string;
      /** `before` and `after` are a part of the file, so their lines have no numbers. */
      readonly isPart?: true;
      readonly more: JsonObject;
    }
  | { readonly type: 'plan'; readonly markdown: string; readonly more: JsonObject }
  | { readonly type: 'questions'; readonly questions: readonly Question[] }
  | { readonly type: 'input'; readonly input: JsonObject };

export interface Question {
  readonly question: string;
  readonly header: string;
  readonly multiSelect: boolean;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

export interface PersonAnswer {
  readonly requestId: string;
  readonly decision: 'allow' | 'allow_for_session' | 'deny';
  /** With deny: what Claude should know. */
  readonly message?: string;
  /** With allow: runs instead of the input. For a plan: `{ plan }`. */
  readonly input?: JsonObject;
  /** For questions: the answers by question. Several choices are joined by the server. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  /** For plans. */
  readonly nextMode?: string;
}

export interface Settlement {
  readonly requestId: string;
  readonly sessionId: string;
  readonly decision: Decision;
  readonly by: AnsweredBy;
  /** The name of the device, if a person answered on the page. */
  readonly device?: string;
  readonly at: number;
}

export interface SessionName {
  readonly sessionId: string;
}

export interface SessionRow extends SessionName {
  readonly title: string;
  readonly folder: string;
  /** `disk`: started in a terminal or by another program. */
  readonly status: SessionStatus | 'disk';
  readonly activity?: string;
  readonly costUsd: number;
  readonly budgetUsd?: number;
  readonly createdAt?: number;
  readonly lastUsedAt: number;
  readonly openRequests: number;
}

export interface SessionsQuery {
  readonly search?: string;
  readonly status?: SessionRow['status'];
  readonly offset: number;
  readonly limit: number;
}

export interface SessionsPage {
  readonly rows: readonly SessionRow[];
  readonly more: number;
}

export interface SessionDetails {
  readonly row: SessionRow;
  readonly mode: string;
  readonly model?: string;
  readonly turns: number;
  readonly queued: readonly string[];
  /** Why project settings are skipped, and other facts that a person should know. */
  readonly notes: readonly string[];
  /** To copy into a terminal. */
  readonly resumeCommand?: string;
  /** The sequence number of the newest event. */
  readonly head: number;
  readonly may: { readonly reply: boolean; readonly interrupt: boolean; readonly cancel: boolean };
}

/** An event of a session as the page shows it. */
export interface TimelineEvent {
  /** Prompts are not events: they have a place between two events, such as 12.001. */
  readonly seq: number;
  readonly at: number;
  readonly turn: number;
  /** The kind of subagent, if one did it. */
  readonly agent?: string;
  readonly body:
    | { readonly type: 'prompt'; readonly text: string }
    | { readonly type: 'text' | 'thinking'; readonly text: string; readonly chars?: number }
    | {
        readonly type: 'tool_use';
        readonly toolUseId: string;
        readonly toolName: string;
        readonly summary: string;
      }
    | {
        readonly type: 'tool_result';
        readonly toolUseId: string;
        readonly isError: boolean;
        readonly isDenied: boolean;
        readonly text: string;
        readonly chars?: number;
      }
    | {
        readonly type: 'asked';
        readonly requestId: string;
        readonly toolUseId: string;
        readonly kind: InputKind;
        readonly toolName: string;
        readonly summary: string;
      }
    | { readonly type: 'settled'; readonly settlement: Settlement }
    | { readonly type: 'note'; readonly text: string }
    | { readonly type: 'result'; readonly isError: boolean; readonly text: string };
}

export interface ToolCall {
  readonly what: What | undefined;
  readonly result: string | undefined;
  readonly isError: boolean;
  /** Set if input or result are shortened here. */
  readonly note?: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly before: string | undefined;
  /** Undefined: the file no longer exists. */
  readonly after: string | undefined;
  /** The texts are the same. Without it, they can differ in what is redacted here. */
  readonly isSame?: true;
  readonly note?: string;
}

export interface UsageSum {
  readonly costUsd: number;
  readonly turns: number;
  readonly tokens: number;
}

export interface Usage {
  readonly total: UsageSum;
  readonly days: readonly (UsageSum & { readonly date: string })[];
  readonly projects: readonly (UsageSum & { readonly folder: string })[];
  readonly models: readonly (UsageSum & { readonly model: string })[];
}

export interface NewSession {
  readonly prompt: string;
  readonly folder: string;
  readonly mode?: string;
  readonly budgetUsd?: number;
}

export interface NewPrompt extends SessionName {
  readonly prompt: string;
  /** While a turn runs. `steer` reaches it at once; `queue` waits for its end. */
  readonly whenBusy: 'steer' | 'queue';
}

/**
 * `GET /api/stream?session=<id>&after=<seq>` as server-sent events, each with a cursor as its id. The page sends the
 * last one in `cursor=` when it connects again. All open requests, the last answers and the live sessions are sent
 * at each connection, so nothing is lost in between.
 */
export type StreamMessage =
  | { readonly type: 'hello'; readonly now: number; readonly version: string }
  | {
      readonly type: 'inbox';
      readonly cards: readonly Card[];
      /** The last answers: some may be to requests that the page still shows as open. */
      readonly settled: readonly Settlement[];
    }
  | { readonly type: 'asked'; readonly card: Card }
  | { readonly type: 'settled'; readonly settlement: Settlement }
  /** All live sessions at first, then those that have changed. */
  | { readonly type: 'sessions'; readonly rows: readonly SessionRow[] }
  | {
      readonly type: 'events';
      readonly sessionId: string;
      readonly events: readonly TimelineEvent[];
      /** Events that were evicted before they could be sent. */
      readonly dropped: number;
      /** The server has lost the last events that the page shows: these replace all of them. */
      readonly isReset?: true;
    }
  /** Every ten seconds. A page that hears nothing for longer is stale. */
  | { readonly type: 'beat'; readonly now: number }
  /** `too_many`: newer streams of the same browser have taken its place. */
  | { readonly type: 'bye'; readonly why: 'shutdown' | 'signed_out' | 'too_many' };
