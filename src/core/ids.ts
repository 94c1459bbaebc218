import { AppError } from './errors.js';

declare const brand: unique symbol;

/** Our public id of a session: a UUID minted here that never changes. */
export type SessionId = string & { readonly [brand]: 'SessionId' };

/** Where ids come from; tests may make them predictable. */
export interface IdSource {
  uuid(): string;
  /** A short unguessable id, unique in this process. */
  short(): string;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** Claude Code's resume also matches titles, so nothing but a UUID may pass. */
export function parseSessionId(text: string): SessionId {
  const id = text.trim().toLowerCase();
  if (!isUuid(id)) {
    throw new AppError('session_id_invalid', { text });
  }
  return id as SessionId;
}
