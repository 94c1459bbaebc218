import { AppError } from '../core/errors.js';
import { escapedBackslashes } from '../core/text/approver-text.js';
import { cutNote, escapedCharacter, visibleJson } from '../core/text/escape.js';
import type { InputRequest } from '../core/session/inputs.js';
import { countSecretMarks, mask } from '../core/observability/mask.js';

/** Keys that the tools of Claude Code require. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command'],
  Read: ['file_path'],
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string'],
  NotebookEdit: ['notebook_path'],
  Glob: ['pattern'],
  Grep: ['pattern'],
  WebFetch: ['url', 'prompt'],
  WebSearch: ['query'],
};

/** Refuses every edit of a request that the approver could not read in full. */
export function refuseUnreadEdit({ isMasked = false }: Pick<InputRequest, 'isMasked'>): void {
  if (isMasked) throw refusal('the original contains a secret of the operator, which is hidden');
}

/** Refuses an edit that cannot run, or that contains a placeholder instead of the original text. */
export function refuseBadEdit(
  { toolName, input }: InputRequest,
  edited: Readonly<Record<string, unknown>>,
): void {
  const needed = Object.hasOwn(neededKeys, toolName) ? (neededKeys[toolName] ?? []) : [];
  const missing = needed.find((key) => typeof edited[key] !== 'string');
  if (missing !== undefined) throw refusal(`${toolName} needs "${missing}" as a string`);
  // A tool of an MCP server would run with it.
  if (Object.keys(edited).length === 0 && Object.keys(input).length > 0) throw refusal('it is empty');
  const changed = Object.keys(edited).find(
    (key) => Object.hasOwn(input, key) && kindOf(edited[key]) !== kindOf(input[key]),
  );
  if (changed !== undefined) throw refusal(`"${changed}" must remain of type ${kindOf(input[changed])}`);
  refuseMask(edited, input);
}

/**
 * Refuses an edit with more masks, escapes or truncation notes than the original: the placeholder would run instead of
 * the text.
 */
export function refuseMask(edited: unknown, original: unknown): void {
  const units = escapedUnits(original);
  if (
    countIn(edited, mask) > countIn(original, mask) ||
    countSecretMarks(edited) > countSecretMarks(original)
  )
    throw refusal('it contains a mark that replaces a hidden secret');
  if (
    countIn(edited, escapedCharacter) > countIn(original, escapedCharacter) ||
    countIn(edited, escapedBackslashes) > countIn(original, escapedBackslashes) ||
    countEscapes(edited, units) > countEscapes(original, units)
  )
    throw refusal(
      'it contains a character that was escaped for display, such as \\u{200b}, in place of the character itself',
    );
  if (countIn(edited, cutNote) > countIn(original, cutNote))
    throw refusal('it contains a text that was truncated for display');
}

/** The UTF-16 units that the pages of the input, which are JSON, show as escapes. */
function escapedUnits(original: unknown): ReadonlySet<string> {
  const units = new Set<string>();
  for (const [, unit] of visibleJson({ original }).matchAll(/\\(?:u([\da-f]{4})|.)/g))
    if (unit !== undefined) units.add(unit);
  return units;
}

/** Counts the texts that look like one of these escapes. */
function countEscapes(value: unknown, units: ReadonlySet<string>): number {
  let count = 0;
  for (const [, unit = ''] of JSON.stringify(value).matchAll(/\\\\u([\da-f]{4})/gi))
    if (units.has(unit.toLowerCase())) count += 1;
  return count;
}

function countIn(value: unknown, what: string | RegExp): number {
  return JSON.stringify(value).split(what).length - 1;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function refusal(problem: string): AppError {
  return new AppError('edit_invalid', { problem });
}
