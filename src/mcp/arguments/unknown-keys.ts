import * as z from 'zod';
import { guessLimit, nearest, plainName } from '../../core/text/nearest.js';
import { unwrapped } from './schema-parts.js';

/** Names that tools of other servers, or of other toolsets, give to the same field. */
const synonyms: readonly (readonly string[])[] = [
  ['cwd', 'workingDirectory', 'projectDirectory', 'directory', 'folder', 'workdir', 'path'],
  ['prompt', 'message', 'task', 'query', 'text', 'instructions'],
  ['requestId', 'inputId', 'id'],
  ['sessionId', 'threadId', 'session', 'id'],
  ['updatedInput', 'input'],
  ['message', 'denyMessage', 'reason', 'feedback'],
  ['timeoutMs', 'timeout', 'timeoutSeconds'],
  ['waitMs', 'wait'],
  ['advanced', 'diskResumeConfig', 'options', 'config'],
];

/** What an object contains whose keys the schema does not name. */
const contents: Readonly<Record<string, readonly string[]>> = { updatedInput: ['answers', 'plan'] };

const maxKeys = 20;

/** Says where each unknown key belongs or which key was probably meant; for the rest, which keys there are. */
export function unknownKeys(all: readonly string[], place: z.ZodObject, root: z.ZodObject): string {
  const keys = all.slice(0, maxKeys);
  const hints = keys.map((key) => hintFor(key, place, root));
  const strangers = keys.filter((_key, index) => hints[index] === undefined).map(quoted);
  const known = Object.keys(place.shape).join(', ');
  return [
    ...hints.filter((hint) => hint !== undefined),
    ...(strangers.length === 0
      ? []
      : [`unknown ${strangers.length === 1 ? 'key' : 'keys'} ${strangers.join(', ')}; known: ${known}`]),
  ].join('; ');
}

function hintFor(key: string, place: z.ZodObject, root: z.ZodObject): string | undefined {
  const here = Object.keys(place.shape);
  const didYouMean = (name: string): string => `unknown key ${quoted(key)}: did you mean ${name}?`;
  const same = alike(key, here);
  if (same !== undefined) return didYouMean(same);
  const elsewhere = [...placesIn(root)].find(
    ([, schema]) => schema !== place && Object.hasOwn(schema.shape, key),
  );
  if (elsewhere !== undefined) return `${key} goes ${elsewhere[0]}`;
  const holder = here.find((name) => Object.hasOwn(contents, name) && contents[name]?.includes(key));
  if (holder !== undefined) return `${key} goes in ${holder}`;
  // A known name first: `message` is not a misspelt `messageId`.
  const meant = synonymOf(key, here) ?? nearest(key, here, guessLimit(key));
  return meant === undefined ? undefined : didYouMean(meant);
}

function quoted(key: string): string {
  return JSON.stringify(key.slice(0, 60));
}

/** The objects that take options, and how to name each of them. */
function* placesIn(root: z.ZodObject): Iterable<readonly [where: string, schema: z.ZodObject]> {
  yield ['at the top level of the arguments', root];
  for (const [key, field] of Object.entries(root.shape)) {
    const schema = unwrapped(field);
    if (schema instanceof z.ZodObject) yield [`in ${key}`, schema];
  }
}

function alike(key: string, known: readonly string[]): string | undefined {
  return known.find((name) => plainName(name) === plainName(key));
}

/** If a name can stand for several keys, the first of the tool is the most important. */
function synonymOf(key: string, known: readonly string[]): string | undefined {
  const meant = new Set(synonyms.filter((names) => alike(key, names) !== undefined).flat());
  return known.find((name) => meant.has(name));
}
