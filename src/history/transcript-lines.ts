import { isAbsolute } from 'node:path';
import { ownValue } from '../core/json.js';

/** Who started a session: a person in the terminal, or a program. */
export type SessionOrigin = 'terminal' | 'program';

/** The system takes no longer paths. An agent can write any text to its own transcript, and this one stays in memory. */
const maxPathChars = 4_096;

/** Facts about a session, collected from the lines of its transcript. */
export interface TranscriptFacts {
  cwd: string | undefined;
  firstPrompt: string | undefined;
  /** A command that the person ran, used when there is no prompt. */
  firstCommand: string | undefined;
  origin: SessionOrigin | undefined;
  customTitle: string | undefined;
  aiTitle: string | undefined;
}

export function noFacts(): TranscriptFacts {
  return {
    cwd: undefined,
    firstPrompt: undefined,
    firstCommand: undefined,
    origin: undefined,
    customTitle: undefined,
    aiTitle: undefined,
  };
}

/** Adds the facts of one line. The first prompt wins; the last title wins, because titles change. */
export function noteLine(facts: TranscriptFacts, line: unknown): void {
  noteTitle(facts, line);
  if (ownValue(line, 'isSidechain') === true) return;
  const cwd = ownValue(line, 'cwd');
  if (typeof cwd === 'string' && cwd.length <= maxPathChars && isAbsolute(cwd)) facts.cwd ??= cwd;
  const entrypoint = ownValue(line, 'entrypoint');
  if (typeof entrypoint === 'string') facts.origin ??= entrypoint === 'cli' ? 'terminal' : 'program';
  if (facts.firstPrompt === undefined && isPromptLine(line)) notePrompt(facts, line);
}

export function noteTitle(facts: TranscriptFacts, line: unknown): void {
  const customTitle = ownValue(line, 'customTitle');
  const aiTitle = ownValue(line, 'aiTitle');
  if (typeof customTitle === 'string' && customTitle !== '') facts.customTitle = customTitle;
  if (typeof aiTitle === 'string' && aiTitle !== '') facts.aiTitle = aiTitle;
}

function isPromptLine(line: unknown): boolean {
  return (
    ownValue(line, 'type') === 'user' &&
    ownValue(line, 'isMeta') !== true &&
    ownValue(line, 'isCompactSummary') !== true
  );
}

/** Texts that Claude Code or this server writes in place of a prompt, or before it. */
const notTyped =
  /^\s*(?:<(?:command-|local-command-|bash-|system-reminder|task-notification|tick|user-memory|ide_|attached_file )|\[Request interrupted by user)/;
const command = /<command-name>(.*?)<\/command-name>/;

function notePrompt(facts: TranscriptFacts, line: unknown): void {
  for (const text of textsOf(ownValue(line, 'message', 'content'))) {
    if (text.trim() === '') continue;
    if (!notTyped.test(text)) {
      facts.firstPrompt = text;
      return;
    }
    facts.firstCommand ??= command.exec(text)?.[1];
  }
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content
    .map((block: unknown) => (ownValue(block, 'type') === 'text' ? ownValue(block, 'text') : undefined))
    .filter((text): text is string => typeof text === 'string');
}
