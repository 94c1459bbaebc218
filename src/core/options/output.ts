import * as z from 'zod';
import { defineOptions, fitsArgument, tooLong } from './define.js';

/** What comes back beside the text. */
export const outputOptions = defineOptions({
  outputFormat: {
    schema: z.strictObject({
      type: z.literal('json_schema'),
      schema: z.record(z.string(), z.unknown()).refine(fitsArgument, tooLong),
    }),
    place: 'advanced',
    isOpaque: true,
    words: '{type:"json_schema",schema}: result.structuredOutput follows it',
    long: 'A JSON Schema for the answer: `result.structuredOutput` follows it, and a turn without it has failed. Default: none.',
  },
  includePartialMessages: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether `activity` shows the text as it is being written. Default: false.',
  },
  forwardSubagentText: {
    schema: z.boolean(),
    place: 'advanced',
    long: 'Whether events include what subagents say and think. Default: false.',
  },
});
