import type { InputRequiredResult, ProtocolEra, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { AppError, formatError, messageOf } from '../core/errors.js';
import type { IdSource } from '../core/ids.js';
import { withFields, type Logger } from '../core/observability/logger.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { ReturnedForm, ToolContext } from '../core/tool-context.js';
import type { Tool, ToolDependencies } from '../toolsets/shared/define-tool.js';
import type { CallStates, SealedCall } from './call-state.js';
import { CallRecord, type RecordDependencies, type ToldCall } from './call-record.js';
import { cleanArguments } from './clean-arguments.js';
import { toArgumentError } from './explain-issues.js';
import { render, type RenderSettings, type ToolAnswer } from './render.js';
import { logOf, progressOf, replyOf } from './request.js';

export interface CallDependencies extends RecordDependencies, RenderSettings {
  /** The session layer is loaded by the first call, not before. */
  readonly loadDependencies: () => Promise<ToolDependencies>;
  readonly logger: Logger;
  readonly ids: IdSource;
  readonly states: CallStates;
}

/** A tool call as it came in. */
export interface IncomingCall extends ToldCall {
  readonly args: unknown;
  /** In the 2026 protocol a result can ask for input. */
  readonly era: ProtocolEra;
}

/** A tool call from its arguments to its result. The only place that catches tool errors. */
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
    const run = tool.parse(args);
    const outcome = await run(await deps.loadDependencies(), toToolContext(call, returned, record, deps));
    const answer = await render(outcome, (state) => deps.states.seal(sealedCall, state, context), deps);
    record.end('view' in outcome ? 'ok' : 'input_required');
    return answer;
  } catch (error) {
    const logger = withFields(deps.logger, record.ids);
    const told = withoutSecrets(toAppError(error, tool, { ...deps, logger }), deps.redactor);
    record.end(told.code, told.message);
    return { content: [{ type: 'text', text: formatError(inWordsOf(tool, told)) }], isError: true };
  }
}

/** The arguments without what clients add on their own, under the names that the tool uses today. */
function clean({ tool, args }: IncomingCall): Record<string, unknown> {
  const cleaned = cleanArguments(args, tool.input);
  return tool.normalize?.(cleaned) ?? cleaned;
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
    canReturnForm: era === 'modern' && caller.canAskPerson,
    returned,
    concerns: (sessionId) => record.noteSession(sessionId),
  };
}

/** Whether this call continues one that asked a person. Answers without a state would start everything anew. */
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

/** The session layer does not know by which tools it is called. */
function inWordsOf({ hintWords = [] }: Tool, error: AppError): AppError {
  if (error.hint === undefined || hintWords.length === 0) return error;
  const hint = hintWords.reduce((text, [name, word]) => text.replace(name, word), error.hint);
  return new AppError(error.code, error.message, { hint });
}

/** Before its text is cut: an error may quote a command, or the last words of Claude Code. */
function withoutSecrets({ code, message, hint }: AppError, redactor: Redactor): AppError {
  return new AppError(
    code,
    redactor.redact(message),
    hint === undefined ? {} : { hint: redactor.redact(hint) },
  );
}

/** Nothing of an unknown error reaches the caller: it may quote what nobody has checked. */
function toAppError(error: unknown, tool: Tool, { logger, ids }: CallDependencies): AppError {
  if (error instanceof AppError) {
    // Who is refused may be trying something: the operator should be able to see it.
    if (error.code === 'PERMISSION_DENIED')
      logger.log('warn', 'a caller was refused', {
        tool: tool.name,
        code: error.code,
        reason: error.message,
      });
    return error;
  }
  if (error instanceof z.ZodError) return toArgumentError(error, tool.input);
  const incident = ids.short();
  logger.log('error', 'a tool call failed', {
    incident,
    tool: tool.name,
    reason: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
  });
  return new AppError('INTERNAL', `the server failed (incident ${incident})`, {
    hint: 'Try again; if it fails again, tell the operator the incident id.',
  });
}
