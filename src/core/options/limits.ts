import * as z from 'zod';
import { defineOptions } from './define.js';

const day = 86_400_000;

/** How much a session may use. */
export const limitOptions = defineOptions({
  maxTurns: {
    schema: z.int().min(1).max(10_000),
    place: 'top',
    long: 'Model turns for each prompt. Default: no limit.',
  },
  maxBudgetUsd: {
    schema: z.number().positive().max(1_000_000),
    place: 'top',
    words: 'For the whole session',
    long: 'What the whole session may cost, over all its processes. Default: no limit.',
  },
  permissionRequestTimeoutMs: {
    schema: z.int().min(1_000).max(day),
    place: 'top',
    words: 'An unanswered request is denied after this; default 300000',
    long: "How long a request waits for an answer before it is denied. Default and maximum: the operator's, 5 minutes.",
  },
  timeoutMs: {
    schema: z.int().min(1).max(day),
    place: 'advanced',
    words: 'Per turn; stands still while a request is open',
    long: 'How long one turn may run. The clock stands still while a request is open; then the turn is interrupted. Default: no limit but the longest run.',
  },
  sessionInitTimeoutMs: {
    schema: z.int().min(100).max(60_000),
    place: 'advanced',
    long: 'How long Claude Code may take to start. Default: 10,000.',
  },
});
