import type { PageRequest, SessionPart } from '../../toolsets/reference/session-pages.js';

/** A family of resources about one session, as templates describe it to clients. */
export interface SessionResource {
  readonly name: string;
  readonly uriTemplate: string;
  readonly title: string;
  readonly description: string;
}

export const sessionsUri = 'claude-code://sessions';

/** The parts of a session that can be read in addition to its snapshot. */
const parts = ['events', 'transcript', 'result'] as const;

/** Where reading starts. */
const positions = { events: 'after', transcript: 'offset', result: 'offset' } as const;

export const sessionResources: readonly SessionResource[] = [
  {
    name: 'session',
    uriTemplate: `${sessionsUri}/{id}`,
    title: 'A session',
    description: 'Status, open requests, result, cost and options.',
  },
  {
    name: 'events',
    uriTemplate: `${sessionsUri}/{id}/events{?after}`,
    title: 'Events of a session',
    description: 'Events after a cursor, and the next cursor.',
  },
  {
    name: 'transcript',
    uriTemplate: `${sessionsUri}/{id}/transcript{?offset}`,
    title: 'Transcript of a session',
    description: 'Its messages, newest first.',
  },
  {
    name: 'result',
    uriTemplate: `${sessionsUri}/{id}/result{?offset}`,
    title: 'Result of a session',
    description: 'The full text of the last result.',
  },
];

/** Undefined if the URI names nothing about a session. */
export function parseSessionUri(uri: string): PageRequest | undefined {
  const [, sessionId = '', part = 'session', key, value] =
    /^claude-code:\/\/sessions\/([\w-]{1,100})(?:\/([a-z]+))?(?:\?([a-z]+)=(\d{1,15}))?$/.exec(uri) ?? [];
  if (sessionId === '' || !isPart(part)) return undefined;
  if (key !== undefined && (part === 'session' || positions[part] !== key)) return undefined;
  return { sessionId, part, from: value === undefined ? undefined : Number(value) };
}

/** Every resource that may change with a session. */
export function urisOf(sessionId: string): readonly string[] {
  const uri = `${sessionsUri}/${sessionId}`;
  return [sessionsUri, uri, ...parts.map((part) => `${uri}/${part}`)];
}

function isPart(text: string): text is SessionPart {
  return text === 'session' || parts.some((part) => part === text);
}
