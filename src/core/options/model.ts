import * as z from 'zod';
import { argument, defineOptions } from './define.js';

export const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
const plain = argument(200);

/** The model, its system prompt and how it thinks. */
export const modelOptions = defineOptions({
  model: { schema: plain, place: 'top', long: "Model name or alias. Default: the user's." },
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
    isOpaque: true,
    words: 'Replaces Claude Code\'s; {type:"preset",preset:"claude_code",append} extends it',
    long: 'A string replaces the system prompt of Claude Code. The preset object keeps it and appends to it. Default: the preset.',
  },
  title: { schema: plain, place: 'top', long: 'Name of the session. Default: none.' },
  effort: {
    schema: z.enum(effortLevels),
    place: 'advanced',
    long: "How much effort the model puts into its answer. Default: the model's.",
  },
  thinking: {
    schema: z.union([
      z.strictObject({ type: z.literal('adaptive') }),
      z.strictObject({
        type: z.literal('enabled'),
        budgetTokens: z.int().min(1_024).max(1_000_000).optional(),
      }),
      z.strictObject({ type: z.literal('disabled') }),
    ]),
    place: 'advanced',
    isOpaque: true,
    words: '{type:"adaptive"|"enabled"|"disabled",budgetTokens?}',
    long: 'Whether the model thinks before it answers: `{ type: "adaptive" }`, `{ type: "enabled", budgetTokens }` or `{ type: "disabled" }`. Default: the model\'s default.',
  },
  fallbackModel: {
    schema: plain,
    place: 'advanced',
    long: 'Model to use while the first one is overloaded. Default: none.',
  },
  betas: {
    schema: z.array(z.string().pipe(z.enum(['context-1m-2025-08-07']))).max(5),
    place: 'advanced',
    long: 'Beta features of the API to enable: `context-1m-2025-08-07`. Default: none.',
  },
  planModeInstructions: {
    // Becomes an argument.
    schema: z
      .string()
      .min(1)
      .max(20_000)
      .refine((text) => !text.includes('\0'), 'must not contain NUL'),
    place: 'advanced',
    long: "Instructions for plan mode, in place of Claude Code's own. Default: none.",
  },
});
