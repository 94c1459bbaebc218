import { Effort } from '../core/text/effort.js';
import { parseSessionId } from '../core/ids.js';
import type { Redactor } from '../core/observability/redactor.js';
import { cutMiddle } from '../core/text/escape.js';
import { mapTexts } from '../core/text/map-texts.js';
import { undoEdits } from '../core/text/undo-edits.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { RecordedCall } from '../sessions/transcripts.js';
import type { CallInput } from './call-inputs.js';
import type { ChangedFile, ToolCall } from './contract.js';
import { presentFile } from './present-text.js';
import { exact, visibleOutput } from './wording/texts.js';
import { sameness, whatOf, type ShownCall } from './what.js';

interface HistoryDependencies {
  readonly sessions: SessionManager;
  readonly redactor: Redactor;
}

/** A longer text is shortened: a person reads this after the call, and approves nothing by it. */
const maxTextChars = 100_000;
const maxChangedFiles = 100;
/** All texts of an answer together. */
const maxChangedChars = 4_000_000;
/** That undoing all edits looks through. Takes less than half a second. */
const maxUndoneChars = 50_000_000;

const kinds: Readonly<Record<string, ShownCall['kind']>> = {
  ExitPlanMode: 'plan_review',
  AskUserQuestion: 'user_question',
};

/** The input and result of a tool call, from the transcript or from the request that waits for an answer. */
export async function toolCallOf(
  { sessionId, toolUseId }: CallInput<'toolCall'>,
  { sessions, redactor }: HistoryDependencies,
): Promise<ToolCall> {
  const open = sessions.approvals.broker.openFor(sessionId).find((one) => one.toolUseId === toolUseId);
  const recorded =
    open === undefined
      ? await sessions.controls.transcripts.toolCall(parseSessionId(sessionId), toolUseId)
      : undefined;
  const call = recorded ?? (open && redactor.redactValue(open.shown));
  if (call === undefined) return { what: undefined, result: undefined, isError: false, note: notRecorded };
  return shownCall(call, recorded);
}

function shownCall(
  { toolName, input: whole }: Pick<ShownCall, 'toolName' | 'input'>,
  { result, original, isError }: Partial<RecordedCall> = {},
): ToolCall {
  const kind = Object.hasOwn(kinds, toolName) ? (kinds[toolName] ?? 'permission') : 'permission';
  const input = mapTexts(whole, (text) => cutMiddle(text, maxTextChars)) as ShownCall['input'];
  const before = original === null || original === undefined ? undefined : cutMiddle(original, maxTextChars);
  const isWhole = JSON.stringify(input) === JSON.stringify(whole) && (result ?? '').length <= maxTextChars;
  return {
    what: whatOf({ kind, toolName, input }, { text: before }),
    result: result === undefined ? undefined : visibleOutput(cutMiddle(result, maxTextChars)),
    isError: isError ?? false,
    ...(isWhole ? {} : { note: shortened }),
  };
}

const notRecorded = 'This call is not in the transcript of the session.';
const shortened = 'Long texts are truncated here. The transcript of the session contains them in full.';

/** The files that a session changed with file tools: before the first change, and now. */
export async function changesOf(
  { sessionId }: CallInput<'changes'>,
  { sessions, redactor }: HistoryDependencies,
): Promise<{ readonly files: readonly ChangedFile[] }> {
  const id = parseSessionId(sessionId);
  const { view } = await sessions.findToShow(id);
  return sessions.controls.transcripts.withChanges(id, async (changes) => {
    const files: ChangedFile[] = [];
    const effort = new Effort(maxUndoneChars);
    let left = maxChangedChars;
    for (const { path, original: recorded, edits } of changes.slice(0, maxChangedFiles)) {
      const present = await presentFile(path, view);
      const now = redactor.redactValue(present);
      const undone = edits && present.text !== undefined ? undoEdits(present.text, edits, effort) : undefined;
      const original = recorded === undefined ? undone && redactor.redact(undone) : recorded;
      const shown = exact(redactor.redact(path));
      const chars = (original?.length ?? 0) + (now.text?.length ?? 0);
      left -= chars;
      if (left < 0) files.push({ path: shown, before: undefined, after: undefined, note: tooMuch });
      else
        files.push(changedFile(shown, original, undone === undefined ? now : { ...now, note: withoutEdits }));
    }
    return { files };
  });
}

const tooMuch = 'This session changed more text than the page shows at once.';
const withoutEdits =
  'The text before the change was not recorded. This compares the current text with and without the edits of the session.';
const noOriginal = 'The text before the change was not recorded.';

function changedFile(
  path: string,
  original: string | null | undefined,
  { text, note }: { readonly text: string | undefined; readonly note?: string },
): ChangedFile {
  const problem = note ?? (original === undefined ? noOriginal : undefined);
  return {
    path,
    before: typeof original === 'string' ? exact(original) : undefined,
    after: text === undefined ? undefined : exact(text),
    ...sameness(original, text),
    ...(problem === undefined ? {} : { note: problem }),
  };
}
