import type { AppError } from '../core/errors.js';
import type { CallName, Calls, PageError, StreamMessage } from './contract.js';
import type { Turn } from '../core/text/in-parts.js';

/** The person behind a device. An answer from here is a person's. */
export interface Person {
  readonly deviceId: string;
  readonly device: string;
  readonly principal: string;
}

/** The calls that concern sessions. Those that concern devices are answered at the door. */
export type DeskCall = Exclude<CallName, 'pair' | 'signIn' | 'signOut' | 'devices' | 'revoke' | 'me'>;

export interface StreamRequest {
  /** The session whose events are sent, and the last event that the page has. */
  readonly sessionId: string | undefined;
  readonly after: number;
  /** Of the last message that the page has received. */
  readonly cursor: string | undefined;
}

export interface StreamedMessage {
  readonly cursor: string;
  readonly message: StreamMessage;
}

/** The sessions and open requests of one principal, as the page sees them. */
export interface Desk {
  /** Throws an AppError. Inputs are checked here. */
  call<Name extends DeskCall>(name: Name, input: unknown, person: Person): Promise<Calls[Name]['output']>;
  /** An error that `call` has thrown, in words for a person. */
  explain(error: AppError): PageError;
  /** What `me` says about the sessions of this principal. */
  about(): Promise<Pick<Calls['me']['output'], 'modes' | 'defaultFolder' | 'budgetTodayUsd'>>;
  /**
   * Ends when the signal aborts. Slow readers get the newest state, not every step. News wakes all streams at once, so
   * each waits for a turn before it makes a message.
   */
  stream(request: StreamRequest, signal: AbortSignal, turn: Turn): AsyncIterable<StreamedMessage>;
}
