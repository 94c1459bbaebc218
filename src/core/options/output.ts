import * as z from 'zod';
import { defineOptions, fitsArgument, tooLong } from './define.js';

/** Structured output, and how much events and activity show. */
export const outputOptions = defineOptions({
  outputFormat: {
    schema: z.strictObject({
      type: z.literal('json_schema'),
      schema: z.record(z.string(), z.unknown()).refine(fitsArgument, tooLong),
    }),
    place: 'advanced',
    isOpaque: true,
    words: '{type:"json_schema",schema} of result.structuredOutput',
    long: 'JSON Schema of the answer, which is returned in `result.structuredOutput`. A turn that does not produce it fails. Default: none.',
  },
  includePartialMessages: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether `activity` shows text while Claude writes it. Default: false.',
  },
  forwardSubagentText: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether events include the text and thinking of subagents. Default: false.',
  },
});
