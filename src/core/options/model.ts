import * as z from 'zod';
import { argument, defineOptions } from './define.js';

const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
const plain = argument(200);

/** Which model answers, and what it is told beforehand. */
export const modelOptions = defineOptions({
  model: { schema: plain, place: 'top', long: "The model, by name or alias. Default: the user's." },
  systemPrompt: {
    schema: z.union([
      z.string().max(200_000),
      z.strictObject({
        type: z.literal('preset'),
        preset: z.literal('claude_code'),
        append: z.string().max(200_000).optional(),
      }),
    ]),
    place: 'top',
    words: 'A string replaces Claude Code\'s; {type:"preset",preset:"claude_code",append} extends it',
    long: 'A string replaces the system prompt of Claude Code; the preset object keeps it and appends to it. Default: the preset.',
  },
  title: { schema: plain, place: 'top', long: 'A name for the session. Default: none.' },
  effort: {
    schema: z.enum(effortLevels),
    place: 'advanced',
    long: 'How hard the model thinks. Default: that of the model.',
  },
});
