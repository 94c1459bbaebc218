import {
  inputRequired,
  type InputRequiredResult,
  type ProtocolEra,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Caller } from '../core/caller.js';
import { AppError, formatError, messageOf } from '../core/errors.js';
import type { IdSource } from '../core/ids.js';
import type { Logger } from '../core/logger.js';
import type { CallOutcome, Meter } from '../core/measurements.js';
import type { Redactor } from '../core/redactor.js';
import type { ReturnedForm, ToolContext } from '../core/tool-context.js';
import type { Tool, ToolDependencies } from '../toolsets/define-tool.js';
import type { CallStates, SealedCall } from './call-state.js';
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

export interface CallDependencies {
  /** The session layer is loaded by the first call, not before. */
  readonly loadDependencies: () => Promise<ToolDependencies>;
  readonly logger: Logger;
  readonly meter: Meter;
  /** The last look at everything that leaves; what is cut was redacted before. */
  readonly redactor: Redactor;
  readonly ids: IdSource;
  readonly states: CallStates;
  /** Whether an answer also carries its JSON as an object. */
  readonly isStructured: boolean;
}

/** A tool call as it came in. */
export interface IncomingCall {
  readonly tool: Tool;
  readonly args: unknown;
  readonly caller: Caller;
  /** In the 2026 protocol a result can ask for input. */
  readonly era: ProtocolEra;
  readonly context: ServerContext;
}

/** The one place where a tool call is parsed, and the one where its errors are caught. */
export async function callTool(
  call: IncomingCall,
  deps: CallDependencies,
): Promise<ToolAnswer | InputRequiredResult> {
  const { tool, context } = call;
  const begunAt = performance.now();
  const measure = (outcome: CallOutcome): void =>
    deps.meter.measure({ what: 'call_ended', tool: tool.name, outcome, ms: performance.now() - begunAt });
  try {
    const cleaned = cleanArguments(call.args, tool.input);
    const args = tool.normalize?.(cleaned) ?? cleaned;
    const sealedCall = { tool: tool.name, args };
    const toolContext: ToolContext = {
      caller: call.caller,
      signal: context.mcpReq.signal,
      progress: progressOf(context, deps.redactor),
      log: logOf(context, call.era, deps.redactor),
      canReturnForm: call.era === 'modern' && call.caller.canAskPerson,
      returned: await returnedForm(sealedCall, context, deps.states),
    };
    const outcome = await tool.call(args, await deps.loadDependencies(), toolContext);
    const answer =
      'text' in outcome
        ? toAnswer(outcome.text, deps)
        : inputRequired({
            inputRequests: { [formKey]: inputRequired.elicit(toElicitation(outcome.form, deps.redactor)) },
            requestState: await deps.states.seal(sealedCall, outcome.state, context),
          });
    measure('text' in outcome ? 'ok' : 'input_required');
    return answer;
  } catch (error) {
    const told = withoutSecrets(toAppError(error, tool, deps), deps.redactor);
    measure(told.code);
    return { content: [{ type: 'text', text: formatError(told) }], isError: true };
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
