import {
  inputRequired,
  type InputRequiredResult,
  type ProtocolEra,
  type ServerContext,
} from '@modelcontextprotocol/server';
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
import { toElicitation } from './forms.js';
import { formKey, logOf, progressOf, replyOf } from './request.js';

export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface CallDependencies extends RecordDependencies {
  /** The session layer is loaded by the first call, not before. */
  readonly loadDependencies: () => Promise<ToolDependencies>;
  readonly logger: Logger;
  /** The last look at everything that leaves; what is cut was redacted before. */
  readonly redactor: Redactor;
  readonly ids: IdSource;
  readonly states: CallStates;
  /** Whether an answer also carries its JSON as an object. */
  readonly isStructured: boolean;
}

/** A tool call as it came in. */
export interface IncomingCall extends ToldCall {
  readonly args: unknown;
  /** In the 2026 protocol a result can ask for input. */
  readonly era: ProtocolEra;
}

/** The one place where a tool call is parsed, and the one where its errors are caught. */
export async function callTool(
  call: IncomingCall,
  deps: CallDependencies,
): Promise<ToolAnswer | InputRequiredResult> {
  const { tool, context } = call;
  const record = new CallRecord(call, deps);
  try {
    const cleaned = cleanArguments(call.args, tool.input);
    const args = tool.normalize?.(cleaned) ?? cleaned;
    record.noteArguments(args);
    const sealedCall = { tool: tool.name, args };
    const toolContext: ToolContext = {
      caller: call.caller,
      signal: context.mcpReq.signal,
      progress: progressOf(context, deps.redactor),
      log: logOf(context, call.era, deps.redactor),
      canReturnForm: call.era === 'modern' && call.caller.canAskPerson,
      returned: await returnedForm(sealedCall, context, deps.states),
      concerns: (sessionId) => record.noteSession(sessionId),
    };
    const outcome = await tool.call(args, await deps.loadDependencies(), toolContext);
    if ('text' in outcome) {
      const answer = toAnswer(outcome.text, deps);
      record.end('ok');
      return answer;
    }
    const form = inputRequired({
      inputRequests: { [formKey]: inputRequired.elicit(toElicitation(outcome.form, deps.redactor)) },
      requestState: await deps.states.seal(sealedCall, outcome.state, context),
    });
    record.end('input_required');
    return form;
  } catch (error) {
    const logger = withFields(deps.logger, record.ids);
    const told = withoutSecrets(toAppError(error, tool, { ...deps, logger }), deps.redactor);
    record.end(told.code, told.message);
    return { content: [{ type: 'text', text: formatError(inWordsOf(tool, told)) }], isError: true };
  }
}

function toAnswer(text: string, { redactor, isStructured }: CallDependencies): ToolAnswer {
  if (!isStructured) return { content: [{ type: 'text', text: redactor.redact(text) }] };
  // Text and object are made of one value, so that nobody is told two things.
  const structuredContent = redactor.redactValue(JSON.parse(text) as Record<string, unknown>);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
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
