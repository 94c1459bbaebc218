import { AppError } from '../core/errors.js';
import { asList, asText, isObject, ownValue } from '../core/json.js';
import { escapedBackslashes, firstEscape } from '../core/text/approver-text.js';
import { cutNote, escapedCharacter, visibleJson } from '../core/text/escape.js';
import type { InputRequest } from '../core/session/inputs.js';
import { countSecretMarks, mask } from '../core/observability/mask.js';
import { oncePerKey } from './once-per-key.js';

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
export function refuseMask(edited: object, original: object): void {
  const units = unitsOf(original);
  for (const change of changedTexts(edited, original)) refuseMarks(change, units);
}

/** A text of an edit, and the original in its place: such a text elsewhere is no reason to leave an escape here. */
interface ChangedText {
  readonly text: string;
  readonly before: string;
}

function changedTexts(edited: unknown, original: unknown): readonly ChangedText[] {
  const changed: ChangedText[] = [];
  const open: (readonly [edited: unknown, original: unknown])[] = [[edited, original]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, before] = next;
    if (typeof value === 'string') {
      if (value !== before) changed.push({ text: value, before: asText(before) ?? '' });
    } else if (Array.isArray(value)) {
      const list = asList(before);
      for (const [index, inner] of value.entries()) open.push([inner, list[index]]);
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (!isObject(before) || !Object.hasOwn(before, key)) changed.push({ text: key, before: '' });
        open.push([inner, ownValue(before, key)]);
      }
    }
  }
  return changed;
}

function refuseMarks({ text, before }: ChangedText, units: ReadonlySet<string>): void {
  if (countIn(text, mask) > countIn(before, mask) || countSecretMarks(text) > countSecretMarks(before))
    throw refusal('it contains a mark that replaces a hidden secret');
  if (hasNewEscape(text, before, units))
    throw refusal(
      'it contains a character that was escaped for display, such as \\u{200b}, in place of the character itself',
    );
  if (countIn(text, cutNote) > countIn(before, cutNote))
    throw refusal('it contains a text that was truncated for display');
}

function hasNewEscape(text: string, before: string, units: ReadonlySet<string>): boolean {
  const escapes = countEscapes(text, units);
  if (
    countIn(text, escapedCharacter) > countIn(before, escapedCharacter) ||
    countIn(text, escapedBackslashes) > countIn(before, escapedBackslashes) ||
    escapes > countEscapes(before, units)
  )
    return true;
  // A text that the original has, too, could now stand where a hidden character was.
  const hasEscape = escapes > 0 || firstEscape(text) !== undefined;
  return hasEscape && unitsIn(text).length < unitsIn(before).length;
}

/** The UTF-16 units that the pages of the input, which are JSON, show as escapes. */
function unitsIn(original: unknown): readonly string[] {
  const units: string[] = [];
  for (const [, unit] of visibleJson({ original }).matchAll(/\\(?:u([\da-f]{4})|.)/g))
    if (unit !== undefined) units.push(unit);
  return units;
}

/** Of an input, which can be edited many times. */
const unitsOf = oncePerKey((original: object): ReadonlySet<string> => new Set(unitsIn(original)));

/** Counts the texts that look like one of these escapes. */
function countEscapes(text: string, units: ReadonlySet<string>): number {
  let count = 0;
  for (const [, unit = ''] of text.matchAll(/\\u([\da-f]{4})/gi))
    if (units.has(unit.toLowerCase())) count += 1;
  return count;
}

function countIn(text: string, what: string | RegExp): number {
  return text.split(what).length - 1;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function refusal(problem: string): AppError {
  return new AppError('edit_invalid', { problem });
}
