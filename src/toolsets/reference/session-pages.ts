import type { Caller } from '../../core/caller.js';
import type { ToolContext } from '../../core/tool-context.js';
import { shrinking, type View } from '../../core/view.js';
import { longText } from '../async/long-text.js';
import type { SessionAction } from '../async/session/action.js';
import { get } from '../async/session/get.js';
import type { SessionInput } from '../async/session/input.js';
import { list } from '../async/session/list.js';
import { transcript } from '../async/session/transcript.js';
import { snapshotOf } from '../async/snapshot/snapshot.js';
import type { HandlerDependencies } from '../shared/define-tool.js';
import { ownCursor } from '../shared/own-cursor.js';

/** The parts of a session that can be read as resources, with the same content and the same rules as the tools. */
export type SessionPart = 'session' | 'events' | 'transcript' | 'result';

export interface PageRequest {
  readonly sessionId: string;
  readonly part: SessionPart;
  /** The cursor or offset at which reading starts. */
  readonly from: number | undefined;
}

/** Who reads, until `signal` aborts. */
export type Reader = Pick<ToolContext, 'caller' | 'signal'>;

export function sessionsPage(offset: number, deps: HandlerDependencies, reader: Reader): Promise<View> {
  return act(list, { action: 'list', offset }, deps, reader);
}

export async function sessionPage(
  { sessionId, part, from }: PageRequest,
  deps: HandlerDependencies,
  reader: Reader,
): Promise<View> {
  switch (part) {
    case 'session': {
      return act(get, { action: 'get', sessionId }, deps, reader);
    }
    case 'transcript': {
      return act(transcript, { action: 'transcript', sessionId, offset: from }, deps, reader);
    }
    case 'events': {
      return eventsPage(sessionId, from ?? 0, deps, reader.caller);
    }
    case 'result': {
      const session = await deps.sessions.findToShow(await deps.sessions.ids.resolve(sessionId));
      const page = longText(session, { requestId: undefined, resultOffset: from ?? 0 }, deps.sessions);
      return page?.view ?? (() => ({}));
    }
  }
}

async function eventsPage(
  sessionId: string,
  after: number,
  { sessions, words }: HandlerDependencies,
  caller: Caller,
): Promise<View> {
  const session = await sessions.findToShow(await sessions.ids.resolve(sessionId));
  const cursor = ownCursor(session, after);
  const request = {
    cursor,
    include: new Set(['events'] as const),
    rights: sessions.approvals.rightsOf(caller),
    words,
  };
  return shrinking((room) => snapshotOf(session.view, request, room));
}

function act(
  action: SessionAction,
  input: SessionInput,
  deps: HandlerDependencies,
  reader: Reader,
): Promise<View> {
  return action.run(input, deps, readingContext(reader));
}

/** A read neither waits nor asks. */
function readingContext(reader: Reader): ToolContext {
  return {
    ...reader,
    progress: undefined,
    log: undefined,
    canReturnForm: false,
    returned: undefined,
    concerns: () => undefined,
  };
}
