import { AppError } from './errors.js';

declare const brand: unique symbol;

/** Our public id of a session: a UUID created here that never changes. */
export type SessionId = string & { readonly [brand]: 'SessionId' };

/** The source of ids, which tests can make predictable. */
export interface IdSource {
  uuid(): string;
  /** A short, unguessable id, unique in this process. */
  short(): string;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Completes the beginning of an id. */
const anyUuid = '00000000-0000-0000-0000-000000000000';

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** As many characters as progress lines and cursors show. */
const fewestChars = 8;

/** A session id, or the beginning of one, in the form in which it is compared. */
export function parseIdStart(text: string): string {
  const start = text.trim().toLowerCase();
  const isStart = start.length >= fewestChars && isUuid(start + anyUuid.slice(start.length));
  if (isStart) return start;
  throw new AppError('session_id_invalid', { text });
}

/** Accepts UUIDs only, because Claude Code's resume also matches titles. */
export function parseSessionId(text: string): SessionId {
  const id = text.trim().toLowerCase();
  if (!isUuid(id)) {
    throw new AppError('session_id_invalid', { text });
  }
  return id as SessionId;
}
