import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { modelOptions } from '../../core/options/model.js';
import { placeOptions } from '../../core/options/place.js';
import type { ToolContext, ToolOutcome } from '../../core/tool-context.js';
import type { QueryRequest } from '../query/start-run.js';
import { defineTool, namedId, type HandlerDependencies, type Tool } from '../shared/define-tool.js';
import { promptField, sessionIdField, taskWords } from '../shared/fields.js';
import { sessionAtStart } from '../shared/session-at-start.js';
import { resultPage } from '../shared/text-page.js';
import { approvalPolicies, sandboxes, toOptions } from './options.js';

export interface CodexSettings {
  /** The longest time of a call. */
  readonly maxExecutionMs: number;
}

const text = z.string().max(200_000);

/** The tools of the retired `codex mcp-server`, for configurations and agents that were written for it. */
export function createCodexTools({ maxExecutionMs }: CodexSettings): readonly Tool[] {
  return [codexTool(maxExecutionMs), codexReplyTool(maxExecutionMs)];
}

function codexTool(maxExecutionMs: number): Tool {
  return defineTool({
    name: 'codex',
    title: 'Codex, by Claude Code',
    description:
      'Runs a task with a Claude Code agent that edits files and runs commands, and returns its answer. Continue with codex-reply.',
    effect: 'destructive',
    isAlwaysLoaded: true,
    plainText: 'content',
    input: z.strictObject({
      prompt: promptField.describe(taskWords),
      cwd: placeOptions.cwd.schema.optional().describe(placeOptions.cwd.words),
      model: modelOptions.model.schema.optional(),
      sandbox: z
        .enum(sandboxes)
        .optional()
        .describe('workspace-write accepts edits; danger-full-access needs the permission of the operator'),
      'approval-policy': z.enum(approvalPolicies).optional(),
      'base-instructions': text.optional(),
      'developer-instructions': text.optional(),
      'compact-prompt': text.optional(),
      profile: z.string().max(200).optional(),
      config: z.record(z.string(), z.unknown()).optional(),
      'include-plan-tool': z.boolean().optional(),
    }),
    output: codexOutput,
    explain: sessionAtStart,
    async handle({ prompt, ...args }, deps, context) {
      const { options, ignored } = toOptions(args);
      return run({ prompt, options }, { ignored }, { ...deps, maxExecutionMs }, context);
    },
  });
}

function codexReplyTool(maxExecutionMs: number): Tool {
  return defineTool({
    name: 'codex-reply',
    title: 'Continue a thread',
    description: 'Sends the next prompt to a thread of codex, with all its history.',
    effect: 'destructive',
    plainText: 'content',
    input: z.strictObject({
      threadId: sessionIdField,
      prompt: promptField.optional(),
      resultOffset: z.int().min(0).optional().describe('Instead of prompt: read the last answer from here'),
    }),
    output: codexOutput,
    normalize: ({ conversationId, threadId = conversationId, ...rest }) => ({ threadId, ...rest }),
    async handle({ threadId, prompt, resultOffset }, deps, context) {
      const id = await namedId(threadId, deps, context);
      if ((prompt === undefined) === (resultOffset === undefined)) throw new AppError('reply_or_reading');
      if (prompt === undefined) {
        const session = await deps.sessions.findToShow(id);
        return { view: resultPage(session, deps.sessions, { threadId: id }, resultOffset ?? 0) };
      }
      return run(
        { prompt, options: {}, continues: id },
        { ignored: [] },
        { ...deps, maxExecutionMs },
        context,
      );
    },
  });
}

async function run(
  request: Omit<QueryRequest, 'settings'>,
  remarks: { readonly ignored: readonly string[] },
  deps: HandlerDependencies & CodexSettings,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { sessions, maxExecutionMs, words } = deps;
  const settings = {
    clock: sessions.clock,
    startedAt: sessions.clock.elapsed(),
    limitMs: maxExecutionMs,
    isLimitCut: false,
    isLimitLongest: true,
    maxMessages: 1,
    includeSystemMessages: false,
    vocabulary: words,
  };
  // Loaded by the first call, to keep start-up fast.
  const [{ answerQuery }, { codexView }] = await Promise.all([
    import('../query/answer-query.js'),
    import('./codex-view.js'),
  ]);
  return answerQuery({ ...request, settings }, deps, context, (queryRun, end) =>
    codexView(queryRun, end, remarks, words),
  );
}

/** The first two are those of the retired server. */
function codexOutput(): z.ZodObject {
  return z.looseObject({
    threadId: z.string(),
    content: z.string().optional(),
    error: z.string().optional(),
    readMore: z.string().optional(),
    denied: z.array(z.string()).optional(),
    ignored: z.array(z.string()).optional(),
    notSaved: z.string().optional(),
    projectSettings: z.string().optional(),
    turn: z.number().optional(),
    text: z.string().optional(),
    offset: z.number().optional(),
    totalChars: z.number().optional(),
    nextOffset: z.number().optional(),
  });
}
