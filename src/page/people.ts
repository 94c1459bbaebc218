import type { Caller } from '../core/caller.js';
import { oneLine } from '../core/text/escape.js';
import type { Person } from './desk.js';

const maxNameChars = 60;

/**
 * A person on the page, as the session layer knows callers. The page shows every request, so a session that acts for
 * this person can always ask one.
 */
export function callerOf({ deviceId, device }: Person): Caller {
  return { clientId: `page:${deviceId}`, device: oneLine(device, maxNameChars), canAskPerson: true };
}

/** For what applies to every person. */
export const anyPerson: Caller = callerOf({ deviceId: 'any', device: 'any', principal: '' });
