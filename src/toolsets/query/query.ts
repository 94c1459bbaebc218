import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { isObject, parseJson } from '../../core/json.js';
import { isTooCostly } from '../../core/text/json-size.js';
import { hostOptions } from '../../core/options/host.js';
import { limitOptions } from '../../core/options/limits.js';
import { modelOptions } from '../../core/options/model.js';
import { placeOptions } from '../../core/options/place.js';
import { toolOptions } from '../../core/options/tools.js';
import {
  attachmentsField,
  attachmentsWords,
  promptField,
  renameTimeout,
  sessionIdField,
  taskWords,
} from '../shared/fields.js';
import { defineTool, type Tool } from '../shared/define-tool.js';
import { readQuery } from './read-query.js';

export interface QueryToolSettings {
  /** Default and maximum time of a query. */
  readonly maxExecutionMs: number;
}

const defaultMaxMessages = 100;

export function createQueryTool({ maxExecutionMs }: QueryToolSettings): Tool {
  return defineTool({
    name: 'claude_code_query',
    title: 'Run a task with Claude Code',
    description:
      'Gives a task to a separate Claude Code agent that edits files and runs commands, and returns its result. Messages arrive meanwhile as log notifications and progress. Requests that no person can answer are denied at once, so list what the task needs in allowedTools.',
    effect: 'destructive',
    isAlwaysLoaded: true,
    isLogging: true,
    input: z.strictObject({
      prompt: promptField.optional().describe(taskWords),
      attachments: attachmentsField.describe(attachmentsWords),
      cwd: placeOptions.cwd.schema.optional().describe(placeOptions.cwd.words),
      maxTurns: limitOptions.maxTurns.schema.optional(),
      model: modelOptions.model.schema.optional(),
      appendSystemPrompt: z.string().max(200_000).optional(),
      maxMessages: z
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .describe(`Return at most this many of the last messages, shortened. Default ${defaultMaxMessages}`),
      includeSystemMessages: z.boolean().optional().describe('Return system messages too. Default true'),
      permissionMode: toolOptions.permissionMode.schema.optional(),
      allowedTools: toolOptions.allowedTools.schema.optional().describe(toolOptions.allowedTools.words),
      disallowedTools: toolOptions.disallowedTools.schema.optional(),
      timeoutMs: limitOptions.timeoutMs.schema
        .optional()
        .describe('Stop after this time and return the messages so far'),
      sandbox: hostOptions.sandbox.schema.optional().meta({ isOpaque: true }),
      sessionId: sessionIdField.optional().describe('Instead of prompt: read an earlier query'),
      resultOffset: z
        .int()
        .min(0)
        .optional()
        .describe('With sessionId: read its result or message from here'),
      messageOffset: z.int().min(0).optional().describe('With sessionId: read its messages from here'),
      messageId: z.uuid().optional().describe('With sessionId: read this whole message'),
    }),
    output: queryOutput,
    normalize: (args) => renameTimeout(spreadOptions(args)),
    async handle(input, deps, context) {
      const {
        prompt,
        attachments,
        sessionId,
        resultOffset,
        messageOffset,
        messageId,
        maxMessages,
        includeSystemMessages,
        timeoutMs,
        appendSystemPrompt: append,
        ...rest
      } = input;
      const place = { resultOffset, messageOffset, messageId };
      if (sessionId !== undefined && prompt === undefined) {
        refuseBeside('sessionId', { attachments });
        return { view: await readQuery(sessionId, place, deps, context.signal) };
      }
      if (prompt === undefined || sessionId !== undefined) throw new AppError('query_or_reading');
      refuseBeside('prompt', place);
      const { clock } = deps.sessions;
      const settings = {
        clock,
        startedAt: clock.elapsed(),
        limitMs: Math.min(timeoutMs ?? maxExecutionMs, maxExecutionMs),
        isLimitCut: timeoutMs !== undefined && timeoutMs > maxExecutionMs,
        isLimitLongest: timeoutMs === undefined || timeoutMs >= maxExecutionMs,
        maxMessages: maxMessages ?? defaultMaxMessages,
        includeSystemMessages: includeSystemMessages ?? true,
        vocabulary: deps.words,
      };
      const systemPrompt =
        append === undefined ? undefined : ({ type: 'preset', preset: 'claude_code', append } as const);
      // Loaded by the first query, to keep start-up fast.
      const { answerQuery } = await import('./answer-query.js');
      return answerQuery(
        { prompt, attachments, options: { ...rest, systemPrompt }, settings },
        deps,
        context,
      );
    },
  });
}

/** A query is either run or read. */
function refuseBeside(beside: 'prompt' | 'sessionId', others: Readonly<Record<string, unknown>>): void {
  const [misfit] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (misfit !== undefined) throw new AppError('query_key_misfit', { key: misfit, beside });
}

/** Some callers put everything but the prompt into `options`. */
function spreadOptions({ options: given, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const options = typeof given === 'string' ? readOptions(given) : given;
  if (!isObject(options)) return options === undefined ? rest : { ...rest, options };
  const twice = Object.keys(options).find(
    (key) => Object.hasOwn(rest, key) && JSON.stringify(rest[key]) !== JSON.stringify(options[key]),
  );
  if (twice !== undefined) throw new AppError('key_twice', { key: twice });
  return { ...options, ...rest };
}

/** A message may be this long, but not contain so many values: those in a text are not counted with it. */
function readOptions(text: string): unknown {
  if (isTooCostly(text))
    throw new AppError('arguments_invalid', {
      problems: ['options has more than 20,000 values or 200 levels'],
    });
  return parseJson(text) ?? text;
}

/** Answer with a query, or with a part of an earlier one. */
function queryOutput(): z.ZodObject {
  const count = z.number();
  return z.looseObject({
    sessionId: z.string(),
    result: z
      .looseObject({
        success: z.boolean(),
        summary: z.string(),
        readMore: z.string().optional(),
        error: z.string().optional(),
        timedOut: z.boolean().optional(),
      })
      .optional(),
    denied: z.array(z.string()).optional(),
    timeoutLimitMs: count.optional(),
    notSaved: z.string().optional(),
    projectSettings: z.string().optional(),
    executionTime: count.optional(),
    usage: z.looseObject({}).optional(),
    truncation: z
      .looseObject({
        total: count,
        returned: count,
        shortened: count,
        dropped: count,
        next: z.string().optional(),
      })
      .optional(),
    // Raw messages of Claude Code, whose shape may change.
    messages: z.array(z.unknown()).optional(),
    turn: count.optional(),
    text: z.string().optional(),
    offset: count.optional(),
    totalChars: count.optional(),
    nextOffset: count.optional(),
  });
}
