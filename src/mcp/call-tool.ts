import {
  inputRequired,
  type InputRequiredResult,
  type ProtocolEra,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { IdSource } from '../core/ids.js';
import { withFields, type Logger } from '../core/observability/logger.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { ReturnedForm, ToolContext } from '../core/tool-context.js';
import type { ServedTool, ToolDependencies } from '../toolsets/shared/define-tool.js';
import type { CallStates, SealedCall } from './call-state.js';
import { CallRecord, type RecordDependencies, type ToldCall } from './call-record.js';
import { cleanArguments } from './clean-arguments.js';
import { errorText, toAppError } from './errors.js';
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
  readonly tool: ServedTool;
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
    const refusal = toAppError(error, tool, { ...deps, logger });
    record.end(refusal.code, deps.redactor.redact(refusal.message));
    return {
      content: [{ type: 'text', text: errorText(refusal, tool.vocabulary, deps.redactor) }],
      isError: true,
    };
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
