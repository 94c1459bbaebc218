import { relative } from 'node:path';
import { isInside } from '../../../core/paths.js';
import type { TurnResult } from '../../../core/session/turn-result.js';
import { cutMiddle } from '../../../core/text/escape.js';
import { seenChars } from '../../shared/text-page.js';
import { interruptedStep, turnStep } from '../../shared/wording/turn-steps.js';
import type { Vocabulary } from '../../shared/wording/vocabulary.js';
import { fitting } from './fitting.js';

/** The end of a turn as the caller sees it. Each variable text has at most `room` characters. */
export function presentResult(
  sessionId: string,
  result: TurnResult,
  {
    words,
    withUsage,
    cwd,
  }: { readonly words: Vocabulary; readonly withUsage: boolean; readonly cwd: string },
  room: number,
): Record<string, unknown> {
  const {
    changedFiles,
    result: text,
    refusal: _refusal,
    durationApiMs,
    stopReason,
    usage,
    modelUsage,
    ...verdict
  } = result;
  const shown = cutMiddle(text, room);
  const cut =
    shown === text
      ? {}
      : { resultChars: text.length, readMore: words.read.result?.(sessionId, seenChars(text, shown)) };
  if (room < 150) {
    const { isError, outcome, errorSubtype, turn, startedBy } = verdict;
    return { result: shown, ...cut, isError, outcome, errorSubtype, turn, startedBy };
  }
  return {
    result: shown,
    ...cut,
    ...verdict,
    nextStep: result.outcome === 'interrupted' ? interruptedStep(words) : turnStep(result, words),
    ...changedFields(changedFiles, cwd, room),
    structuredOutput: fitting(verdict.structuredOutput, room),
    permissionDenials: fitting(verdict.permissionDenials?.map(denialName), room),
    ...(withUsage
      ? { durationApiMs, stopReason, usage: fitting(usage, room), modelUsage: fitting(modelUsage, room) }
      : {}),
  };
}

/** Paths inside the session's folder are relative to it. */
function changedFields(
  files: readonly string[] | undefined,
  cwd: string,
  room: number,
): Record<string, unknown> {
  if (files === undefined) return {};
  const shown = files.slice(0, Math.max(1, Math.floor(room / 100)));
  return {
    changedFiles: shown.map((file) => cutMiddle(isInside(file, cwd) ? relative(cwd, file) : file, room)),
    moreChangedFiles: files.length - shown.length || undefined,
  };
}

function denialName(denial: unknown): string {
  const name =
    typeof denial === 'object' && denial !== null && 'tool_name' in denial ? denial.tool_name : undefined;
  return typeof name === 'string' ? name : 'unknown';
}
