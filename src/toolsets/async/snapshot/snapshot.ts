import { describeTool } from '../../../core/claude/claude-tools.js';
import { cutMiddle } from '../../../core/text/escape.js';
import type { InputRequest } from '../../../core/session/inputs.js';
import { ApproverText, shrinking, type View } from '../../../core/view.js';
import { digestEvents } from '../../../events/digest.js';
import { nameInput, presentInput, type AnswerRights } from '../../../inputs/present.js';
import type { SessionView } from '../../../session/session-view.js';
import { areKeptCut, restartFields } from '../../shared/restart-fields.js';
import type { News } from '../../shared/watch.js';
import { trustHint, noteOn } from '../../shared/wording/hints.js';
import type { Vocabulary } from '../../shared/wording/vocabulary.js';
import { fitting } from './fitting.js';
import { earlierResults } from './earlier-results.js';
import { presentResult } from './result.js';

export type Include = 'events' | 'tools' | 'usage';

const defaultMaxEvents = 50;

export interface SnapshotRequest
  extends Pick<News, 'rights' | 'words'>, Partial<Omit<News, 'rights' | 'words'>> {
  /** The last event the caller has seen. A result before it is not repeated. */
  readonly cursor?: number | undefined;
  /** Set if the caller continues to watch a session: an earlier answer has named it. */
  readonly isLater?: boolean;
  readonly include?: ReadonlySet<Include>;
  readonly maxEvents?: number | undefined;
  readonly isFirst?: boolean;
  /** Set if the call has begun a turn. */
  readonly begun?: BegunTurn | undefined;
  readonly resumeToken?: string | undefined;
  readonly droppedPrompts?: number;
}

export interface BegunTurn {
  /** The time for answers that the caller asked for. */
  readonly permissionRequestTimeoutMs?: number | null | undefined;
}

/** For callers that poll instead of waiting. */
const pollIntervalMs = 5_000;

export type Snapshot = Readonly<Record<string, unknown>> & { readonly cursor: number };

/**
 * A session as the caller sees it: status first, then what needs an answer. It says only what is new to the caller. Each
 * variable text has at most `room` characters. Undefined keys do not appear in the JSON.
 */
export function snapshotOf(session: SessionView, request: SnapshotRequest, room: number): Snapshot {
  const { options, state, tasks } = session;
  const { include = new Set(), isLater = false } = request;
  const result = isNews(session, request.cursor) ? session.lastResult : undefined;
  return {
    sessionId: isLater ? undefined : session.id,
    status: state.status,
    activity: state.status === 'running' ? session.activity() : undefined,
    waitLimitMs: isLater ? undefined : request.waitLimitMs,
    ...begunFields(session, request.begun),
    ...actionFields(session, request, room),
    answered: answeredByOthers(session, request.cursor),
    result:
      result &&
      presentResult(
        session.id,
        result,
        { words: resultWords(session, request), withUsage: include.has('usage'), cwd: options.cwd },
        room,
      ),
    earlierResults: earlierResults(session, request, room),
    note: noteOn(session),
    tasks:
      tasks.length === 0
        ? undefined
        : fitting(
            tasks.map(({ text }) => cutMiddle(text, 80)),
            room,
          ),
    queuedPrompts: session.queued.length || undefined,
    ...restartFields(session, room),
    readMore: readMoreOf(session, request, room),
    droppedPrompts: request.droppedPrompts || undefined,
    projectSettings: request.isFirst === true ? trustHint(options, request.words) : undefined,
    resumeToken: request.resumeToken,
    notRestored: session.notRestored.length === 0 ? undefined : session.notRestored,
    availableTools: include.has('tools') ? toolFields(session.availableTools, room) : undefined,
    cursor: session.log.head,
    ...(include.has('events') ? eventFields(session, request, room) : {}),
  };
}

/** The call that reads prompts which the snapshot truncates. Results and requests have their own. */
function readMoreOf(session: SessionView, { words }: SnapshotRequest, room: number): string | undefined {
  return areKeptCut(session, room) ? words.read.details?.(session.id, false) : undefined;
}

export const maxTitleChars = 80;

/** Only where the caller may not know which session it looks at. */
export function titleField({ title }: SessionView): { readonly title?: string } {
  return title === undefined ? {} : { title: cutMiddle(title, maxTitleChars) };
}

/** No reply continues a cancelled session, and only a prompt whose turn was cut off runs again. */
function resultWords({ state, cutTurn }: SessionView, { words }: SnapshotRequest): Vocabulary {
  if (state.status === 'cancelled')
    return {
      ...words,
      reply: undefined,
      resumeInterrupted: undefined,
      rewindAgain: undefined,
      retry: words.startAgain,
    };
  const canRunAgain = cutTurn !== undefined && cutTurn.isRedacted !== true;
  return canRunAgain ? words : { ...words, resumeInterrupted: undefined };
}

/** Names alone if there is no room for what each tool does. */
function toolFields(names: readonly string[], room: number): unknown {
  const tools = names.map((name) => {
    const { category, does } = describeTool(name);
    return { name, category, does: does || undefined };
  });
  return JSON.stringify(tools).length <= room ? tools : fitting(names, room);
}

function begunFields({ state, options }: SessionView, begun: BegunTurn | undefined): Record<string, unknown> {
  if (begun === undefined) return {};
  const { permissionRequestTimeoutMs: limitMs } = options;
  const isCut = limitMs !== 0 && (begun.permissionRequestTimeoutMs ?? 0) > limitMs;
  return {
    pollInterval: state.status === 'running' ? pollIntervalMs : undefined,
    requestLimitMs: isCut ? limitMs : undefined,
  };
}

export function snapshotView(session: SessionView, request: SnapshotRequest): View {
  return shrinking((room) => snapshotOf(session, request, room));
}

/** An action costs about 250 characters even without its input, so few of many are shown. */
function actionFields(
  { openInputs }: SessionView,
  { rights, words }: SnapshotRequest,
  room: number,
): Record<string, unknown> {
  if (openInputs.length === 0) return {};
  const shown = openInputs.slice(0, Math.max(1, Math.floor(room / 300)));
  return {
    actions: new ApproverText(
      shown.map((input) =>
        room < 60 ? nameInput(input) : presentAction(input, Math.floor(room / shown.length), rights, words),
      ),
    ),
    moreActions: openInputs.length - shown.length || undefined,
  };
}

function presentAction(
  input: InputRequest,
  room: number,
  rights: AnswerRights,
  { read }: Vocabulary,
): object {
  const { summary, ...presented } = presentInput(input, room, rights);
  // All of the summary is in the input, if that is shown in full.
  if (presented.inputChars === undefined) return presented;
  return { ...presented, summary, readMore: read.input?.(input.sessionId, input.requestId) };
}

/** Decisions of this turn that others made. They explain to the caller why a tool ran or did not. */
function answeredByOthers({ log, turnNumber }: SessionView, cursor = 0): unknown {
  const answers = log.read(cursor).events.flatMap((event) => {
    if (event.type !== 'input_resolved' || event.turn !== turnNumber || event.answeredBy === 'caller')
      return [];
    const { requestId, decision, answeredBy, device } = event;
    return [{ requestId, decision, answeredBy, device }];
  });
  return answers.length === 0 ? undefined : answers.slice(-5);
}

function isNews(session: SessionView, cursor: number | undefined): boolean {
  if (cursor !== undefined) return session.lastResultSeq > cursor;
  const { status } = session.state;
  return status !== 'running' && status !== 'waiting';
}

/** The cursor points behind the last event shown, so that the next call misses none. */
function eventFields(
  session: SessionView,
  { cursor = 0, maxEvents = defaultMaxEvents }: SnapshotRequest,
  room: number,
): Record<string, unknown> {
  const most = Math.max(1, Math.min(maxEvents, Math.floor(room / 60)));
  const { events, dropped } = session.log.read(cursor, most);
  return {
    cursor: events.at(-1)?.seq ?? session.log.head,
    events: digestEvents(events, room),
    droppedEvents: dropped || undefined,
  };
}
