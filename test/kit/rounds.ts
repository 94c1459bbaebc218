/** A modern client that plays the rounds of a call by hand, where the SDK's client would do it by itself. */
import {
  isInputRequiredResult,
  specTypeSchemas,
  withInputRequired,
  type ElicitResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/client';
import { HUMAN_MS } from './person.js';
import { toReply, type ServerClient, type ToolReply } from './server-client.js';

type RoundServer = Pick<ServerClient, 'client'>;

export type ToolCall = { readonly name: string; readonly args: Readonly<Record<string, unknown>> };

/** What a retry carries beside the call itself. */
export type Retry = {
  readonly requestState?: string;
  readonly inputResponses?: Readonly<Record<string, ElicitResult>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
};

/** A form that was handed over, and the state to come back with. */
export type HandedForm = { readonly message: string; readonly state: string };

const answerSchema = withInputRequired(specTypeSchemas.CallToolResult);

/** One round that ends with a form. */
export async function formOf(server: RoundServer, call: ToolCall, retry: Retry = {}): Promise<HandedForm> {
  const answer = await play(server, call, retry);
  if (!isInputRequiredResult(answer)) throw new Error(`There is no form but: ${toReply(answer).text}`);
  const params = answer.inputRequests?.['approval']?.params;
  const message = params !== undefined && 'message' in params ? params.message : '';
  return { message, state: answer.requestState ?? '' };
}

/** One round that ends with an answer of the tool. */
export async function answerOf(server: RoundServer, call: ToolCall, retry: Retry = {}): Promise<ToolReply> {
  const answer = await play(server, call, retry);
  if (isInputRequiredResult(answer)) throw new Error('There is a form, but no answer');
  return toReply(answer);
}

/** What a client brings back when the person behind it has filled in the form. */
export function retryWith(requestState: string, approval: ElicitResult): Retry {
  return { requestState, inputResponses: { approval } };
}

/** The time a person takes to read and decide. */
export function personThinks(server: Pick<ServerClient, 'takesTime'>, ms = HUMAN_MS): Promise<void> {
  return server.takesTime(ms);
}

async function play(
  { client }: RoundServer,
  { name, args }: ToolCall,
  retry: Retry,
): Promise<Parameters<typeof toReply>[0] | InputRequiredResult> {
  const params = { name, arguments: args, ...retry };
  return client.request({ method: 'tools/call', params }, answerSchema, {
    allowInputRequired: true,
    timeout: 60_000,
  });
}
