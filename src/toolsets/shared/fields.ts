import { attachmentLimits } from '../../core/claude/attachment.js';
import { toolOptions } from '../../core/options/tools.js';
import * as z from 'zod';
import { sessionOptions } from '../../core/options/index.js';
import type { OptionSpec } from '../../core/options/define.js';

type SpecTable = typeof sessionOptions;
type KeysAt<P extends 'top' | 'advanced'> = {
  [K in keyof SpecTable]: SpecTable[K]['place'] extends P ? K : never;
}[keyof SpecTable];
type ShapeAt<P extends 'top' | 'advanced'> = { [K in KeysAt<P>]: z.ZodOptional<SpecTable[K]['schema']> };

/** The options of one place as Zod fields, with their descriptions for tools/list. */
function fieldsAt<P extends 'top' | 'advanced'>(place: P): ShapeAt<P> {
  const specs: [string, OptionSpec][] = Object.entries(sessionOptions);
  const fields = specs.filter(([, spec]) => spec.place === place).map(([key, spec]) => [key, toField(spec)]);
  return Object.fromEntries(fields) as ShapeAt<P>;
}

function toField({ schema, words, isOpaque = false, showsFirst = false }: OptionSpec): z.ZodType {
  return schema.optional().meta({
    ...(words === undefined ? {} : { description: words }),
    ...(isOpaque ? { isOpaque } : {}),
    ...(showsFirst ? { showsFirst } : {}),
  });
}

/** Older servers call `timeoutMs` `timeout`. */
export function renameTimeout({ timeout, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return timeout === undefined ? rest : { timeoutMs: timeout, ...rest };
}

export const topFields = fieldsAt('top');
export const advancedFields = fieldsAt('advanced');

type Unsettable<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodNullable<S[K]> };

/** Fields that also take `null`, which unsets an option. Unlike elsewhere, it then reaches the tool. */
function unsettable<S extends z.ZodRawShape>(shape: S): Unsettable<S> {
  const fields = Object.entries(shape).map(([key, field]) => [key, z.nullable(field)]);
  return Object.fromEntries(fields) as Unsettable<S>;
}

/** All start options, as a later call changes them. Built on first use, because it would delay every start. */
export function buildChangeFields() {
  return unsettable({ ...topFields, ...advancedFields });
}

const maxPromptChars = 1_048_576;

export const promptField = z
  .string()
  .max(maxPromptChars, `is longer than ${maxPromptChars} characters`)
  .refine((text) => text.trim() !== '', 'is empty');

export const attachmentsField = z.array(z.string().min(1).max(4_096)).max(attachmentLimits.files).optional();

/** Describes them where a session starts. */
export const attachmentsWords = 'Paths: images, PDFs, text files';

/** Describes the first prompt of a session. Models otherwise write as if the agent had read the conversation. */
export const taskWords =
  'The whole task: the agent cannot see this conversation. @path and /command are not expanded';

export const sessionIdField = z.string().min(1).max(200);
export const waitField = z.int().min(0).max(3_600_000).optional();
export const requestIdField = z.string().min(1).max(200);

const choiceField = z.union([z.string().max(20_000), z.array(z.string().max(20_000)).max(50)]);

/** Loose here; the session layer validates the answers against the questions. */
export const answersField = z
  .record(
    z.string(),
    z.union([choiceField, z.strictObject({ answer: choiceField, notes: z.string().max(20_000).optional() })]),
  )
  .optional();

export const planField = z.string().max(200_000).optional();

/** On the wire a plain string: claude_code already lists the modes, and every byte is paid for. */
export const nextModeField = z.string().pipe(toolOptions.permissionMode.schema).optional();
