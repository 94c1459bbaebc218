import type { InputRequiredResult, ProtocolEra, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Caller } from '../core/caller.js';
import type { IdSource } from '../core/ids.js';
import { withFields, type Logger } from '../core/observability/logger.js';
import type { ReturnedForm, ToolContext } from '../core/tool-context.js';
import type { ParsedCall, ServedTool, ToolDependencies } from '../toolsets/shared/define-tool.js';
import type { CallStates, SealedCall } from './call-state.js';
import { CallRecord, type RecordDependencies, type ToldCall } from './call-record.js';
import { cleanArguments } from './arguments/clean.js';
import { errorText, toAppError } from './errors.js';
import { render, type RenderSettings, type ToolAnswer } from './render.js';
import { logOf, progressOf, replyOf } from './request.js';

export interface CallDependencies extends RecordDependencies, RenderSettings {
  /** Loads the session layer. Only the first call pays for it. */
  readonly loadDependencies: () => Promise<ToolDependencies>;
  readonly logger: Logger;
  readonly ids: IdSource;
  readonly states: CallStates;
  /**
   * Resolves when the answer of this caller may be made. One event can end the waits of hundreds of calls, and the time of
   * a service belongs to all of its callers. Undefined: at once.
   */
  readonly nextTurn?: ((caller: Caller) => Promise<void>) | undefined;
}

/** A tool call as received. */
export interface IncomingCall extends ToldCall {
  readonly tool: ServedTool;
  readonly args: unknown;
  /** In the modern era a result can ask for input. */
  readonly era: ProtocolEra;
}

/** Runs a tool call from its arguments to its result. The only place that catches tool errors. */
export async function callTool(
  call: IncomingCall,
  deps: CallDependencies,
): Promise<ToolAnswer | InputRequiredResult> {
  const { tool, context } = call;
  const record = new CallRecord(call, deps);
  try {
    const args = clean(call);
    record.noteArguments(args);
    const sealedCall = { tool: tool.name, args };
    const returned = await returnedForm(sealedCall, context, deps.states);
    const run = await parse(tool, args, deps);
    const { sessions, maxWaitMs } = await deps.loadDependencies();
    const toolContext = toToolContext(call, returned, record, deps);
    const { limitsOf } = await import('./clients/limits.js');
    const limits = limitsOf(call.caller.client, toolContext.progress !== undefined);
    // The operator may have given the client more time.
    const handlerDeps = { sessions, maxWaitMs: maxWaitMs ?? limits.waitMs, words: tool.vocabulary };
    const outcome = await run(handlerDeps, toolContext);
    await deps.nextTurn?.(call.caller);
    const answerNow = (): Promise<ToolAnswer | InputRequiredResult> =>
      render(outcome, (state) => deps.states.seal(sealedCall, state, context), {
        ...deps,
        plainText: tool.plainText,
        maxChars: limits.resultChars,
      });
    let answer = await answerNow();
    // An answer may only say what is on disk. A read says nothing about other sessions, so it does not wait for theirs.
    const isSaved = await sessions.saved(tool.effect === 'read' ? record.ids.sessionId : undefined);
    // Only now is it known that something is not, which the answer must say.
    if (!isSaved && 'view' in outcome) answer = await answerNow();
    record.end('view' in outcome ? 'ok' : 'input_required');
    return answer;
  } catch (error) {
    const logger = withFields(deps.logger, record.ids);
    const refusal = toAppError(error, tool, { ...deps, logger });
    record.end(refusal.code, deps.redactor.redact(refusal.message));
    return {
      content: [{ type: 'text', text: errorText(refusal, tool.vocabulary, deps.redactor) }],
      isError: true,
    };
  }
}

/** Converts arguments from the forms that models write, and renames old keys. */
function clean({ tool, args }: IncomingCall): Record<string, unknown> {
  const cleaned = cleanArguments(args, tool.input);
  return tool.normalize === undefined ? cleaned : cleanArguments(tool.normalize(cleaned), tool.input);
}

/** Only here does a ZodError mean that the arguments are wrong. */
async function parse(
  tool: ServedTool,
  args: Record<string, unknown>,
  { loadDependencies }: CallDependencies,
): Promise<ParsedCall> {
  try {
    return tool.parse(args);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const { explainArguments } = await import('./arguments/explain.js');
    throw tool.explain?.(args, await loadDependencies()) ?? explainArguments(args, tool.input);
  }
}

function toToolContext(
  { caller, context, era }: IncomingCall,
  returned: ReturnedForm | undefined,
  record: CallRecord,
  { redactor }: CallDependencies,
): ToolContext {
  return {
    caller,
    signal: context.mcpReq.signal,
    progress: progressOf(context, redactor),
    log: logOf(context, era, redactor),
    canReturnForm: era === 'modern' && (caller.canAskPerson || caller.canOpenPage === true),
    returned,
    concerns: (sessionId) => record.noteSession(sessionId),
  };
}

/** The person's reply, if this call continues one that asked. A reply without its state would repeat the work. */
async function returnedForm(
  call: SealedCall,
  context: ServerContext,
  states: CallStates,
): Promise<ReturnedForm | undefined> {
  const { mcpReq } = context;
  const sealed = mcpReq.requestState();
  if (sealed === undefined && mcpReq.inputResponses === undefined) return undefined;
  const state = await states.open(typeof sealed === 'string' ? sealed : '', call, context);
  return { state, reply: replyOf(context) };
}
