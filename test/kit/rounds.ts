/** A modern client that runs the rounds of a call one by one. The SDK's client would run them automatically. */
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

/** The fields that a retry adds to the call. */
export type Retry = {
  readonly requestState?: string;
  readonly inputResponses?: Readonly<Record<string, ElicitResult>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
};

/** A form that the server returned, and the state to send back. */
export type HandedForm = { readonly message: string; readonly state: string };

const answerSchema = withInputRequired(specTypeSchemas.CallToolResult);

/** One round that ends with a form. */
export async function formOf(server: RoundServer, call: ToolCall, retry: Retry = {}): Promise<HandedForm> {
  const answer = await play(server, call, retry);
  if (!isInputRequiredResult(answer)) throw new Error(`Expected a form, but got: ${toReply(answer).text}`);
  const params = answer.inputRequests?.['approval']?.params;
  const message = params !== undefined && 'message' in params ? params.message : '';
  return { message, state: answer.requestState ?? '' };
}

/** One round that ends with an answer from the tool. */
export async function answerOf(server: RoundServer, call: ToolCall, retry: Retry = {}): Promise<ToolReply> {
  const answer = await play(server, call, retry);
  if (isInputRequiredResult(answer)) throw new Error('Expected an answer, but got a form');
  return toReply(answer);
}

/** The retry of a client whose user has filled in the form. */
export function retryWith(requestState: string, approval: ElicitResult): Retry {
  return { requestState, inputResponses: { approval } };
}

/** Waits as long as a person takes to read and decide. */
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
