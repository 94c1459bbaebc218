import type { Desk } from '../../page/desk.js';
import { createDesk } from '../../page/create-desk.js';
import type { ComposedSessions } from '../compose-sessions.js';
import type { AppConfig } from '../app.js';

/** The sessions of one principal as a person sees them. */
export function composeDesk({ redactor, version }: AppConfig, { manager }: ComposedSessions): Desk {
  return createDesk({ sessions: manager, redactor, version });
}
