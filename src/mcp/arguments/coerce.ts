import * as z from 'zod';
import { isObject, parseJson, type JsonObject } from '../../core/json.js';
import { countValues } from '../../core/text/json-size.js';
import { plainName } from '../../core/text/nearest.js';
import { splitOutsideBrackets } from '../../core/text/split.js';
import { isInMilliseconds, toMilliseconds } from './duration.js';
import { accepts, alternatives, choicesOf, unwrapped } from './schema-parts.js';

/** What is left to read of texts. Each of many short texts could become a long list, and each entry takes time. */
interface Work {
  values: number;
  /** Values that fields do not accept as they are. Looking for other readings takes up to a tenth of a millisecond. */
  misfits: number;
}

/**
 * Reads values that models write in another form: numbers and objects as text, one entry for a list, "ALLOW", "20s". A
 * value that the field accepts never changes, and a value that could mean two things stays as it is, to be refused.
 */
function coerce(value: unknown, field: unknown, work: Work): unknown {
  const group = unwrapped(field);
  // Fields that are not set disappear there too.
  if (group instanceof z.ZodObject && isObject(value)) return coerceObject(value, group, work);
  if (accepts(field, value) || (work.misfits -= 1) < 0) return value;
  const readings = alternatives(field).map((schema) => coerceTo(schema, value, work));
  return readings.find((reading) => accepts(field, reading)) ?? likeliest(readings, value);
}

/** Of one call. */
const maxValuesInTexts = 5_000;
/** Far more than a model writes in another form. The others stay as they are. */
const maxMisfits = 500;

/** Reads arguments, whose fields may have other forms. Fields that are not set disappear. */
export function coerceArguments(value: JsonObject, schema: z.ZodObject): Record<string, unknown> {
  return coerceObject(value, schema, { values: maxValuesInTexts, misfits: maxMisfits });
}

function coerceObject(value: JsonObject, { shape }: z.ZodObject, work: Work): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (!Object.hasOwn(shape, key)) return inner === null ? [] : [[key, inner]];
      const field: unknown = shape[key];
      if (isUnset(inner, field)) return [];
      const duration = isInMilliseconds(key) ? toMilliseconds(inner) : undefined;
      return [[key, coerce(duration ?? numbered(key, inner), field, work)]];
    }),
  );
}

/** The answers to several questions, in their order: a question can be named by its number. */
function numbered(key: string, value: unknown): unknown {
  return key === 'answers' && Array.isArray(value) ? Object.fromEntries(value.entries()) : value;
}

/** Models send null, "" or [] for a field that they do not want to set. */
function isUnset(value: unknown, field: unknown): boolean {
  // Even if the field takes any text: an empty system prompt or plan would replace the real one.
  if (value === '') return accepts(field, undefined) && !takesList(field);
  if (accepts(field, value)) return false;
  if (value === null) return true;
  return Array.isArray(value) && value.length === 0 && accepts(field, undefined);
}

/** There, "" could also mean that the list is empty. */
function takesList(field: unknown): boolean {
  return alternatives(field).some((schema) => schema instanceof z.ZodArray);
}

/** None is accepted: prefers one in which something was read, so that the error is about the rest. */
function likeliest(readings: readonly unknown[], value: unknown): unknown {
  const [only, ...others] = readings.filter((reading) => reading !== value);
  return only === undefined || others.length > 0 ? value : only;
}

function coerceTo(schema: unknown, value: unknown, work: Work): unknown {
  if (schema instanceof z.ZodObject) {
    const object = fromJson(value, isObject, work);
    return object === undefined ? value : coerceObject(object, schema, work);
  }
  if (schema instanceof z.ZodRecord) {
    const object = fromJson(value, isObject, work);
    return object === undefined ? value : coerceEach(object, schema.valueType, work);
  }
  if (schema instanceof z.ZodArray) return coerceList(value, schema, work);
  return typeof value === 'string' ? (coerceText(value, schema) ?? value) : value;
}

function coerceEach(value: JsonObject, field: unknown, work: Work): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, coerce(inner, field, work)]));
}

/** One entry may stand without its list. Text is split at commas only if no entry can contain one. */
function coerceList(value: unknown, schema: z.ZodArray, work: Work): unknown {
  const list = fromJson(value, Array.isArray, work);
  // A list that is too long is refused for that.
  if (list !== undefined)
    return list.length > maxEntries(schema) ? list : list.map((inner) => coerce(inner, schema.element, work));
  if (value === '') return value;
  const readings = [[value], typeof value === 'string' ? entriesIn(value, schema, work) : []].map((parts) =>
    parts.map((part) => coerce(typeof part === 'string' ? part.trim() : part, schema.element, work)),
  );
  return readings.find((parts) => parts.length > 0 && accepts(schema, parts)) ?? value;
}

/** None if the list could not have so many. */
function entriesIn(text: string, schema: z.ZodArray, work: Work): readonly string[] {
  const entries = splitOutsideBrackets(text, maxEntries(schema));
  return spend(entries.length, work) ? entries : [];
}

/** For a list of any length, far more than one needs. */
const manyEntries = 1_000;

function maxEntries(schema: z.ZodArray): number {
  const { maximum } = schema._zod.bag;
  return typeof maximum === 'number' ? maximum : manyEntries;
}

/** False if there is too little left. */
function spend(values: number, work: Work): boolean {
  if (values > work.values) return false;
  work.values -= values;
  return true;
}

function coerceText(text: string, schema: unknown): unknown {
  if (schema instanceof z.ZodNumber) return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
  if (schema instanceof z.ZodBoolean) return booleans.get(text.toLowerCase());
  const alike = choicesOf(schema).filter((choice) => plainName(choice) === plainName(text));
  return alike.length === 1 ? alike[0] : undefined;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The value, or what its text contains as JSON, if it has the wanted form. */
function fromJson<T>(value: unknown, isWanted: (value: unknown) => value is T, work: Work): T | undefined {
  const read = typeof value === 'string' ? readJson(value, work) : value;
  return isWanted(read) ? read : undefined;
}

function readJson(text: string, work: Work): unknown {
  return /^\s*[[{]/.test(text) && spend(countValues(text), work) ? parseJson(text) : undefined;
}
