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

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** Accepts UUIDs only, because Claude Code's resume also matches titles. */
export function parseSessionId(text: string): SessionId {
  const id = text.trim().toLowerCase();
  if (!isUuid(id)) {
    throw new AppError('session_id_invalid', { text });
  }
  return id as SessionId;
}
