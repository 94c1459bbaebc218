import { createDesk } from '../../page/create-desk.js';
import type { Desk } from '../../page/desk.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { SessionManager } from '../../sessions/session-manager.js';

interface DeskParts {
  readonly version: string;
  readonly redactor: Redactor;
}

/** The sessions of one principal as a person sees them. */
export function composeDesk({ version, redactor }: DeskParts, sessions: SessionManager): Desk {
  return createDesk({ version, redactor, sessions });
}
