import { createDesk } from '../../page/create-desk.js';
import type { Desk } from '../../page/desk.js';
import type { AppConfig } from '../app.js';
import type { ComposedSessions } from '../compose-sessions.js';

/** The sessions of one principal as a person sees them. */
export function composeDesk({ version, redactor }: AppConfig, { manager }: ComposedSessions): Desk {
  return createDesk({ version, redactor, sessions: manager });
}
