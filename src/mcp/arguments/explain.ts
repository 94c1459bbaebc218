import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { guessLimit, nearest, plainName } from '../../core/text/nearest.js';
import { cutMiddle, oneLine } from '../../core/text/escape.js';
import { isInMilliseconds } from './duration.js';
import { accepts, alternatives, choicesOf } from './schema-parts.js';
import { shapeWords } from './shape-words.js';
import { unknownKeys } from './unknown-keys.js';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const maxProblems = 5;
/** Finding words takes up to a millisecond, and there can be thousands of problems, most of which are not shown. */
const maxWorded = 300;
const maxShapeChars = 400;

/** Says what to change in arguments that the schema rejects. */
export function explainArguments(args: unknown, schema: z.ZodObject): AppError {
  let left = maxWorded;
  const wordsOf = (issue: RawIssue): string => ((left -= 1) < 0 ? 'is invalid' : inWords(issue, schema));
  const { error } = schema.safeParse(args, { error: wordsOf });
  const problems = (error?.issues ?? []).map(problemOf);
  return new AppError('arguments_invalid', { problems: [...new Set(problems)].slice(0, maxProblems) });
}

function problemOf({ code, path, message }: z.core.$ZodIssue): string {
  return code === 'unrecognized_keys' ? `${placeOf(path)}${message}` : `${subjectOf(path)} ${message}`;
}

function subjectOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the call' : path.map(nameOf).join('.');
}

/** Names of servers and agents are the caller's, and can be of any length. */
function nameOf(key: PropertyKey): string {
  return oneLine(String(key), 60);
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `in ${path.map(nameOf).join('.')}, `;
}

/** Completes a sentence that begins with the name of the field. Used where the schema has no words of its own. */
function inWords(issue: RawIssue, root: z.ZodObject): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, issue.inst instanceof z.ZodObject ? issue.inst : root, root);
    case 'invalid_union':
      return oneOption(issue.errors) ?? mustBe(issue);
    case 'invalid_key':
      return `has a wrong name: it ${issue.issues[0]?.message ?? 'is invalid'}`;
    case 'too_small':
    case 'too_big':
      return outOfBounds(issue);
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be a UUID' : `must be a valid ${issue.format}`;
    default:
      return mustBe(issue);
  }
}

function mustBe({ inst, input, path }: RawIssue, schema: unknown = inst): string {
  const shape = `${cutMiddle(shapeWords(schema), maxShapeChars)}${unitOf(path)}`;
  if (input === undefined) return shape === 'text' ? 'is required' : `is required: ${shape}`;
  const guess = valueMeant(input, choicesOf(schema));
  return `must be ${shape}, not ${received(input)}${lacking(schema, input)}${guess === undefined ? '' : `: did you mean ${JSON.stringify(guess)}?`}`;
}

/** The keys that an object lacks, or those that it has, if the field takes objects of several kinds. */
function lacking(schema: unknown, input: unknown): string {
  const [only, ...others] = alternatives(schema).filter((option) => option instanceof z.ZodObject);
  if (only === undefined || !isObject(input)) return '';
  const given = Object.keys(input).slice(0, maxProblems);
  if (others.length > 0) return given.length === 0 ? '' : ` with only ${given.map(nameOf).join(' and ')}`;
  const missing = Object.keys(only.shape).filter(
    (key) => !Object.hasOwn(input, key) && !accepts(only.shape[key], undefined),
  );
  return missing.length === 0 ? '' : ` without ${missing.join(' and ')}`;
}

/** Quotes only what may be a name, because longer text may be a secret. */
function received(input: unknown): string {
  if (typeof input === 'string') return input === '' || input.length > 40 ? 'text' : JSON.stringify(input);
  if (typeof input === 'number' || typeof input === 'boolean' || input === null) return String(input);
  return Array.isArray(input) ? 'a list' : 'an object';
}

function outOfBounds(issue: Extract<RawIssue, { code: 'too_small' | 'too_big' }>): string {
  const { origin, path, input } = issue;
  const schema = schemaOf(issue);
  // Zod also counts the characters of a text where the schema wants a list.
  if (origin === 'string' && schema instanceof z.ZodArray) return mustBe(issue, schema);
  if (origin === 'string')
    return issue.code === 'too_small' ? 'is empty' : `is longer than ${issue.maximum} characters`;
  if (origin === 'array')
    return issue.code === 'too_small'
      ? 'must not be an empty list'
      : `has more than ${issue.maximum} entries`;
  return `must be ${shapeWords(schema)}${unitOf(path)}, not ${received(input)}`;
}

function unitOf(path: readonly PropertyKey[] | undefined): string {
  return isInMilliseconds(path?.at(-1)) ? ' (milliseconds: 30 seconds are 30000)' : '';
}

/** Issues of a check carry the schema that the check belongs to. */
function schemaOf(issue: RawIssue): unknown {
  return 'schema' in issue ? issue.schema : issue.inst;
}

/** The problems with the only option of a union that the value can be meant for. */
function oneOption(options: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const [only, ...others] = options.filter((issues) => !isMisfit(issues));
  if (only === undefined || others.length > 0) return undefined;
  return `is invalid: ${only.map(problemOf).join('; ')}`;
}

/** Whether a value has another type, or keys of its own in place of those that the option requires. */
function isMisfit(issues: readonly z.core.$ZodIssue[]): boolean {
  const codes = new Set(issues.map(({ code }) => code));
  if (codes.has('invalid_value')) return true;
  if (codes.has('unrecognized_keys') && codes.has('invalid_type')) return true;
  return issues.some(
    ({ code, path }) => (code === 'invalid_type' || code === 'invalid_union') && path.length === 0,
  );
}

/** What callers write for a choice, in other words than ours. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  allow: ['approve', 'approved', 'accept', 'yes', 'ok', 'true'],
  allow_for_session: ['always', 'allowalways', 'approveforsession'],
  deny: ['reject', 'decline', 'refuse', 'no', 'false'],
  interrupt: ['stop', 'pause'],
  cancel: ['kill', 'close', 'end', 'delete', 'terminate'],
  get: ['status', 'info', 'show'],
};

function valueMeant(input: unknown, choices: readonly string[]): string | undefined {
  // An object can have a toString of its own that is no function.
  if (typeof input !== 'string' && typeof input !== 'boolean') return undefined;
  const word = plainName(String(input));
  return (
    choices.find((choice) => otherWords[choice]?.includes(word)) ??
    (typeof input === 'string' ? nearest(input, choices, guessLimit(input)) : undefined)
  );
}
