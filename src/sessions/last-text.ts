import type { Redactor } from '../core/observability/redactor.js';
import type { TurnResult } from '../core/session/turn-result.js';
import type { ClaudeHome } from '../history/claude-home.js';
import { readLastText } from '../history/messages.js';
import { findTranscript } from '../history/transcript.js';
import { toTurnResult, type Totals } from '../session/budget/totals.js';
import { own } from '../session/report/reports.js';

interface Place {
  readonly claudeHome: ClaudeHome;
  readonly claudeSessionId: string;
  readonly cwd: string;
  readonly redactor: Redactor;
}

/** What Claude said last, as the result of a turn that no record has. Undefined if the conversation is not on disk. */
export async function lastResultOnDisk(
  { claudeHome, claudeSessionId, cwd, redactor }: Place,
  turn: number,
  totals: Totals,
): Promise<TurnResult | undefined> {
  const path = await findTranscript(claudeHome, claudeSessionId, cwd);
  const text = path === undefined ? undefined : await readLastText(path).catch(() => undefined);
  return text === undefined ? undefined : toTurnResult(own('completed', redactor.redact(text)), turn, totals);
}
