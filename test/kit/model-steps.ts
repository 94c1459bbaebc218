/** The answers of the scripted model, as data. */
import type { Gate } from './gate.js';
import type { ModelRequest } from './model-request.js';

type ToolCall = {
  readonly type: 'tool_use';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** By default a new id each time the step is played. */
  readonly id?: string;
};

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | ToolCall;

export type Usage = { readonly input: number; readonly output: number };

export type MessageOptions = {
  /** The number of pieces in which each text block is streamed. */
  readonly deltas?: number;
  /** The pause before each piece. */
  readonly delayMs?: number;
  readonly usage?: Usage;
  /** By default `tool_use` when the message calls tools, otherwise `end_turn`. */
  readonly stopReason?: string;
};

export type MessageStep = MessageOptions & {
  readonly kind: 'message';
  readonly blocks: readonly Block[];
  /** The last block never finishes. `hang`: the connection stays open until the client disconnects. `cut`: it breaks. */
  readonly ending: 'complete' | 'hang' | 'cut';
};

export type Step =
  | MessageStep
  | {
      readonly kind: 'api-error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'hang-up' }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'stall' }
  | { readonly kind: 'gate'; readonly gate: Gate; readonly step: ScriptStep }
  | { readonly kind: 'repeat'; readonly step: ScriptStep };

/** A step, or a function that chooses one when the request arrives. */
export type ScriptStep = Step | ((request: ModelRequest) => Step | Promise<Step>);

function message(blocks: readonly Block[], options: MessageOptions = {}): MessageStep {
  return { kind: 'message', blocks, ending: 'complete', ...options };
}

function toolCall(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: { readonly id?: string } = {},
): ToolCall {
  return { type: 'tool_use', name, input, ...options };
}

/** Ends the turn with this text. */
export function text(content: string, options?: MessageOptions): MessageStep {
  return message([{ type: 'text', text: content }], options);
}

/** Puts a thinking block before the content of `step`. */
export function thinking(thought: string, step: MessageStep): MessageStep {
  return { ...step, blocks: [{ type: 'thinking', thinking: thought }, ...step.blocks] };
}

/** Calls one tool. */
export function tool(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: { readonly id?: string } = {},
): MessageStep {
  return message([toolCall(name, input, options)]);
}

/** Calls several tools in one message. Each call is built with `tool`. */
export function tools(calls: readonly MessageStep[]): MessageStep {
  return message(calls.flatMap((call) => call.blocks));
}

/** Sends a text and calls the tools, in one message. */
export function say(content: string, ...calls: readonly MessageStep[]): MessageStep {
  return message([{ type: 'text', text: content }, ...calls.flatMap((call) => call.blocks)]);
}

/** Answers with an HTTP error in the format of the Messages API. */
export function apiError(
  status: number,
  type: string,
  errorMessage: string,
  headers: Readonly<Record<string, string>> = {},
): Step {
  return { kind: 'api-error', status, type, message: errorMessage, headers };
}

/** Destroys the socket without an answer. */
export function hangUp(): Step {
  return { kind: 'hang-up' };
}

/** Answers with bytes that are no message. */
export function garbage(): Step {
  return { kind: 'garbage' };
}

/** Never answers. Ends when the client disconnects. */
export function stall(): Step {
  return { kind: 'stall' };
}

/** Streams this text in pieces, and then stays open until the client disconnects. */
export function streamThenHang(content: string, options?: MessageOptions): MessageStep {
  return { ...message([{ type: 'text', text: content }], { deltas: 3, ...options }), ending: 'hang' };
}

/** Streams this text in pieces, and then the connection breaks. */
export function streamThenCut(content: string, options?: MessageOptions): MessageStep {
  return { ...message([{ type: 'text', text: content }], { deltas: 3, ...options }), ending: 'cut' };
}

/** Plays `step` when the gate is open. */
export function gate(holder: Gate, step: ScriptStep): Step {
  return { kind: 'gate', gate: holder, step };
}

/** Plays `step` for every further request of the turn. */
export function repeat(step: ScriptStep): Step {
  return { kind: 'repeat', step };
}
