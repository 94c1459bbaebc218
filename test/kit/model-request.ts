/** Parses a request from Claude Code: which session sent it, and for which prompt. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

const Block = z.looseObject({ type: z.string(), text: z.string().optional() });
const Message = z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Block)]) });
const System = z.union([z.string(), z.array(Block)]);
const Body = z.looseObject({
  model: z.string(),
  messages: z.array(Message),
  system: System.optional(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  stream: z.boolean().optional(),
});

type ApiMessage = z.infer<typeof Message>;
type RequestBody = z.infer<typeof Body>;

export type ModelRequest = {
  readonly sessionId: string;
  /** Set for a subagent, which shares its parent's session id. */
  readonly agentId: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
  /** The prompt of the running turn. Empty when the history contains none. */
  readonly promptText: string;
  /** How often this prompt appears in the history. Distinguishes the second "go" from the first. */
  readonly occurrence: number;
  /** Texts added to the running turn since the latest user message: steering, task notifications. */
  readonly folded: readonly string[];
  readonly stream: boolean;
  /** Settles when the answer was sent, or when the client disconnected first, as after an interrupt. */
  readonly ended: Promise<'answered' | 'aborted'>;
};

export function parseRequest(
  raw: string,
  headers: IncomingHttpHeaders,
  ended: ModelRequest['ended'],
): ModelRequest {
  const body = Body.parse(JSON.parse(raw));
  const prompts = body.messages.filter((message) => message.role === 'user').flatMap(promptTexts);
  const promptText = prompts.at(-1) ?? '';
  return {
    sessionId: header(headers, 'x-claude-code-session-id') ?? '',
    agentId: header(headers, 'x-claude-code-agent-id'),
    headers,
    body,
    promptText,
    occurrence: prompts.filter((prompt) => prompt === promptText).length,
    folded: foldedTexts(body.messages),
    stream: body.stream === true,
    ended,
  };
}

/**
 * Session titles and similar requests. They have no tools, and no environment message, which every turn of a
 * conversation has. Checking for tools alone would also match a session with `tools: []`.
 */
export function isSideCall({ body }: ModelRequest): boolean {
  return !body.tools?.length && !body.messages.some((message) => message.role === 'system');
}

function promptTexts(message: ApiMessage): readonly string[] {
  return texts(message).filter(isPrompt);
}

// A finished background task starts its own turn. Its prompt has the form of a reminder.
function isPrompt(content: string): boolean {
  if (content.startsWith('<system-reminder>')) return content.includes('<task-notification');
  // Claude Code adds the place of its copy after the prompt.
  return !/^\[(?:Request interrupted|Image: source)/.test(content);
}

function foldedTexts(messages: readonly ApiMessage[]): readonly string[] {
  const newestUser = messages.findLastIndex((message) => message.role === 'user');
  const onlyToolResults = messages[newestUser] !== undefined && texts(messages[newestUser]).length === 0;
  return onlyToolResults ? messages.slice(newestUser + 1).flatMap(texts) : [];
}

function texts({ content }: ApiMessage): readonly string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((block) => (block.type === 'text' && block.text !== undefined ? [block.text] : []));
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
