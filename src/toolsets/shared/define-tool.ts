import type * as z from 'zod';
import type { AppError } from '../../core/errors.js';
import { parseSessionId, type SessionId } from '../../core/ids.js';
import type { ToolContext, ToolOutcome } from '../../core/tool-context.js';
import type { View } from '../../core/view.js';
import type { Session } from '../../session/session.js';
import type { SessionManager } from '../../sessions/session-manager.js';
import { follow } from './follow.js';
import { takeBackForm } from './form-rounds.js';
import type { Watch } from './watch.js';
import type { Vocabulary } from './wording/vocabulary.js';

/** The basis of the tool annotations, by which clients decide whether to ask before a call. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** What every tool call needs. */
export interface ToolDependencies {
  readonly sessions: SessionManager;
  /** The longest wait that the operator grants. Undefined: what is safe for the client. */
  readonly maxWaitMs: number | undefined;
}

interface ToolCommon<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** Set for the tool that starts the work: a client that defers tools then still offers it from the start. */
  readonly isAlwaysLoaded?: boolean;
  /** The resource in which clients with MCP Apps show its answers. */
  readonly shownIn?: string;
  /**
   * The field of its answer that is the text of the result. The whole answer is then structured content, because callers
   * that were written for another server expect both.
   */
  readonly plainText?: string;
  /** Whether it sends log notifications while it runs. */
  readonly isLogging?: boolean;
  readonly input: S;
  /** The schema of its answer. Built on demand, because most servers do not publish it. */
  readonly output: () => z.ZodObject;
  /** A better error for invalid arguments than the schema's, from what the server knows. */
  readonly explain?: (args: Record<string, unknown>, deps: ToolDependencies) => AppError | undefined;
  /** Renames old keys before validation. */
  readonly normalize?: (args: Record<string, unknown>) => Record<string, unknown>;
}

/** What a handler needs: besides the session layer, the words of the toolset in which it is served. */
export interface HandlerDependencies extends ToolDependencies {
  readonly maxWaitMs: number;
  readonly words: Vocabulary;
}

type Handler<I, O> = (input: I, deps: HandlerDependencies, context: ToolContext) => Promise<O>;

interface ToolSpec<S extends z.ZodObject> extends ToolCommon<S> {
  readonly handle: Handler<z.infer<S>, ToolOutcome>;
}

/** Where a call continues after a person has replied to its form. */
export interface Resumption {
  readonly session: Session;
  /** The last event that the caller had seen when the call began. */
  readonly cursor: number;
}

/** What a call waits for, or its answer when there is nothing to wait for. */
export type WatchOrView = Watch | { readonly view: View };

interface WaitingToolSpec<S extends z.ZodObject> extends ToolCommon<S> {
  /** Acts, exactly once. */
  readonly begin: Handler<z.infer<S>, WatchOrView>;
  /** Returns the same watch after a person has replied. Must not act again. */
  readonly rejoin: (input: z.infer<S>, at: Resumption, deps: HandlerDependencies) => Promise<WatchOrView>;
}

/** A tool as the server registers it, without the type of its input. */
export interface Tool extends ToolCommon<z.ZodObject> {
  /** Validates the arguments and binds them. Throws a ZodError if they are invalid. */
  readonly parse: (args: unknown) => ParsedCall;
}

export type ParsedCall = (deps: HandlerDependencies, context: ToolContext) => Promise<ToolOutcome>;

/** A tool as it is served, with the vocabulary in which its answers and errors are worded. */
export interface ServedTool extends Tool {
  readonly vocabulary: Vocabulary;
}

export function serve(tools: readonly Tool[], vocabulary: Vocabulary): readonly ServedTool[] {
  return tools.map((tool) => ({ ...tool, vocabulary }));
}

export function defineTool<S extends z.ZodObject>({ handle, ...spec }: ToolSpec<S>): Tool {
  return {
    ...spec,
    parse(args) {
      const input = spec.input.parse(args);
      return (deps, context) => handle(input, deps, context);
    },
  };
}

/** A tool that may wait for a session, and may return a form to the person meanwhile. */
export function defineWaitingTool<S extends z.ZodObject>({
  begin,
  rejoin,
  ...spec
}: WaitingToolSpec<S>): Tool {
  return defineTool({
    ...spec,
    async handle(input, deps, context) {
      const { returned } = context;
      const beganAt = deps.sessions.clock.elapsed();
      // First, so that the person's reply counts even if the rest of the call fails.
      if (returned !== undefined) takeBackForm(returned, deps.sessions.approvals, context.caller);
      const begun =
        returned === undefined
          ? await begin(input, deps, context)
          : await rejoin(input, await resumptionOf(returned.state, deps), deps);
      return 'view' in begun ? begun : follow(begun, deps, { ...context, beganAt });
    },
  });
}

async function resumptionOf(
  { sessionId, cursor }: { readonly sessionId: string; readonly cursor: number },
  { sessions }: ToolDependencies,
): Promise<Resumption> {
  return { session: await sessions.find(parseSessionId(sessionId)), cursor };
}

/** A handler that only shows the session that `sessionId` names. */
export function showingSession<I extends { readonly sessionId: string }, O>(
  handle: (session: Session, ...rest: Parameters<Handler<I, O>>) => Promise<O>,
): Handler<I, O> {
  return async (input, deps, context) =>
    handle(await namedSession('findToShow', input, deps, context), input, deps, context);
}

/** A handler for the session that `sessionId` names. */
export function withSession<I extends { readonly sessionId: string }, O>(
  handle: (session: Session, ...rest: Parameters<Handler<I, O>>) => Promise<O>,
): Handler<I, O> {
  return async (input, deps, context) =>
    handle(await namedSession('find', input, deps, context), input, deps, context);
}

/** The session that a call names. Refusals are recorded with it, too, even if the caller passed only its beginning. */
export async function namedId(
  text: string,
  { sessions }: Pick<ToolDependencies, 'sessions'>,
  { concerns }: Pick<ToolContext, 'concerns'>,
): Promise<SessionId> {
  const id = await sessions.ids.resolve(text);
  concerns(id);
  return id;
}

async function namedSession(
  how: 'find' | 'findToShow',
  { sessionId }: { readonly sessionId: string },
  deps: ToolDependencies,
  context: ToolContext,
): Promise<Session> {
  return deps.sessions[how](await namedId(sessionId, deps, context));
}
