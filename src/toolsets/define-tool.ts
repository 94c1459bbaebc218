import type * as z from 'zod';
import type { ToolContext } from '../core/tool-context.js';
import type { SessionManager } from '../session/session-manager.js';

/** Whether a client may run the tool unasked: watching is harmless, everything else is not. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** What a tool works with. */
export interface ToolDependencies {
  readonly sessions: SessionManager;
  readonly maxWaitMs: number;
}

interface ToolSpec<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly input: S;
  /** Old names of keys, moved to where they live now before anything is checked. */
  readonly normalize?: (args: Record<string, unknown>) => Record<string, unknown>;
  /** Answers with the text of the result: JSON, at most 7,500 characters. */
  readonly handle: (input: z.infer<S>, deps: ToolDependencies, context: ToolContext) => Promise<string>;
}

/** A tool whose types have been checked and can be forgotten: what the server registers. */
export interface Tool extends Omit<ToolSpec<z.ZodObject>, 'handle'> {
  /** Throws a ZodError when the arguments do not fit. */
  readonly call: (args: unknown, deps: ToolDependencies, context: ToolContext) => Promise<string>;
}

export function defineTool<S extends z.ZodObject>({ handle, ...spec }: ToolSpec<S>): Tool {
  return {
    ...spec,
    call: async (args, deps, context) => handle(spec.input.parse(args), deps, context),
  };
}
