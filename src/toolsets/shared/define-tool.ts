import type * as z from 'zod';
import type { CallState, ToolContext, ToolOutcome } from '../../core/tool-context.js';
import type { SessionManager } from '../../sessions/session-manager.js';
import { follow } from './follow.js';
import type { Watch } from './watch.js';
import type { Vocabulary } from './wording/vocabulary.js';

/** Whether a client may run the tool unasked: watching is harmless, everything else is not. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** What a tool works with. */
export interface ToolDependencies {
  readonly sessions: SessionManager;
  readonly maxWaitMs: number;
}

interface ToolCommon<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** Whether it sends log notifications while it runs. */
  readonly isLogging?: boolean;
  readonly input: S;
  /** What it answers; made when asked for, because most servers do not tell. */
  readonly output: () => z.ZodObject;
  /** Old names of keys, moved to where they live now before anything is checked. */
  readonly normalize?: (args: Record<string, unknown>) => Record<string, unknown>;
}

interface ToolSpec<S extends z.ZodObject> extends ToolCommon<S> {
  /** Answers with the text of the result: JSON, at most 7,500 characters. Or with a form for the person first. */
  readonly handle: (
    input: z.infer<S>,
    deps: ToolDependencies,
    context: ToolContext,
  ) => Promise<string | ToolOutcome>;
}

interface WaitingToolSpec<S extends z.ZodObject> extends ToolCommon<S> {
  /** Does what the tool does, once, and says what to wait for; a text when there is nothing to wait for. */
  readonly begin: (
    input: z.infer<S>,
    deps: ToolDependencies,
    context: ToolContext,
  ) => Promise<Watch | string>;
  /** The same watch again, when a person has answered in between. Must not do anything a second time. */
  readonly rejoin: (input: z.infer<S>, state: CallState, deps: ToolDependencies) => Promise<Watch | string>;
}

/** A tool whose types have been checked and can be forgotten: what the server registers. */
export interface Tool extends ToolCommon<z.ZodObject> {
  /** Throws a ZodError when the arguments do not fit. */
  readonly call: (args: unknown, deps: ToolDependencies, context: ToolContext) => Promise<ToolOutcome>;
}

/** A tool as it is served, with the words in which its errors are told. */
export interface ServedTool extends Tool {
  readonly vocabulary: Vocabulary;
}

export function serve(tools: readonly Tool[], vocabulary: Vocabulary): readonly ServedTool[] {
  return tools.map((tool) => ({ ...tool, vocabulary }));
}

export function defineTool<S extends z.ZodObject>({ handle, ...spec }: ToolSpec<S>): Tool {
  return {
    ...spec,
    async call(args, deps, context) {
      const outcome = await handle(spec.input.parse(args, { reportInput: true }), deps, context);
      return typeof outcome === 'string' ? { text: outcome } : outcome;
    },
  };
}

/** A tool that may wait for a session, and so may put a form before a person meanwhile. */
export function defineWaitingTool<S extends z.ZodObject>({
  begin,
  rejoin,
  ...spec
}: WaitingToolSpec<S>): Tool {
  return {
    ...spec,
    async call(args, deps, context) {
      const input = spec.input.parse(args, { reportInput: true });
      const { returned, caller } = context;
      if (returned !== undefined) {
        // First of all: whatever becomes of the call, what the person has answered counts.
        const { requestId, askedAt } = returned.state;
        deps.sessions.approvals.takeBack(requestId, caller, returned.reply, askedAt);
      }
      const watch =
        returned === undefined
          ? await begin(input, deps, context)
          : await rejoin(input, returned.state, deps);
      return typeof watch === 'string' ? { text: watch } : follow(watch, deps, context);
    },
  };
}
