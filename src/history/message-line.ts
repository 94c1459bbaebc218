import { attachedTag } from '../core/claude/attachment.js';
import { isUuid } from '../core/ids.js';
import { ownValue, parseJson } from '../core/json.js';
import { mayBeDeep, withoutDepth } from '../core/text/levels.js';

/** One message of a conversation, as Claude Code recorded it. */
export interface TranscriptMessage {
  readonly uuid: string;
  /** `user` is a prompt. Claude Code also records tool results as `user`; they have their own role here. */
  readonly role: 'user' | 'assistant' | 'tool_result';
  readonly at: string | undefined;
  readonly text: string;
  /** The tools that the message calls. */
  readonly tools: readonly string[];
}

/** Every message line contains one of these. Most lines do not, and need no parsing. */
const marks = { user: Buffer.from('"type":"user"'), assistant: Buffer.from('"type":"assistant"') };

export function mayBeMessage(bytes: Buffer): boolean {
  return bytes.includes(marks.user) || bytes.includes(marks.assistant);
}

export function mayBePrompt(bytes: Buffer): boolean {
  return bytes.includes(marks.user);
}

/** A line of a transcript. An agent can nest its inputs as deeply as it wants, and code that descends would fail. */
export function parseLine(line: string): unknown {
  const value = parseJson(line);
  return mayBeDeep(line) ? withoutDepth(value) : value;
}

/** The message on a line. Undefined when the line is not a message of the main conversation. */
export function readMessage(line: string): TranscriptMessage | undefined {
  const value = parseLine(line);
  const type = ownValue(value, 'type');
  const uuid = ownValue(value, 'uuid');
  if ((type !== 'user' && type !== 'assistant') || typeof uuid !== 'string') return undefined;
  if (!isUuid(uuid)) return undefined;
  if (ownValue(value, 'isSidechain') === true || ownValue(value, 'isMeta') === true) return undefined;
  if (isOwnNote(value)) return undefined;
  const content = ownValue(value, 'message', 'content');
  const blocks = type === 'user' ? userBlocksOf(content) : blocksOf(content);
  const results = blocks.filter((block) => ownValue(block, 'type') === 'tool_result');
  const text = blocks
    .map(textOf)
    .filter((part) => part !== '')
    .join('\n');
  const tools = blocks.flatMap(toolOf);
  // A message that contains only thinking has nothing to show.
  if (text === '' && tools.length === 0 && results.length === 0) return undefined;
  const at = ownValue(value, 'timestamp');
  return {
    uuid,
    role: type === 'user' && results.length > 0 ? 'tool_result' : type,
    at: typeof at === 'string' && at.length <= 40 ? at : undefined,
    text,
    tools,
  };
}

/** The whole message on a line, with the inputs of the tools that it calls. */
export function readWholeText(line: string): string {
  const parts = blocksOf(ownValue(parseLine(line), 'message', 'content')).map((block) =>
    ownValue(block, 'type') === 'tool_use'
      ? `${String(ownValue(block, 'name'))} ${JSON.stringify(ownValue(block, 'input'))}`
      : textOf(block),
  );
  return parts.filter((part) => part !== '').join('\n');
}

/** Claude Code records its own commands, such as a change of model, and the mark of an interruption as user messages. */
export function isOwnNote(line: unknown): boolean {
  // A prompt may be the same text, but has a source.
  if (ownValue(line, 'promptSource') !== undefined) return false;
  const content = ownValue(line, 'message', 'content');
  if (typeof content === 'string') return /^<(command-name|local-command-stdout)>/.test(content);
  const [block, ...others] = blocksOf(content);
  return others.length === 0 && /^\[Request interrupted by user(?: for tool use)?\]$/.test(textOf(block));
}

export function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

/** The content of a line of the user. Its last part is what was written as a prompt, and stays as it is. */
export function userBlocksOf(content: unknown): readonly unknown[] {
  const blocks = blocksOf(content);
  return blocks.map((block, index) => (index < blocks.length - 1 ? withoutFile(block) : block));
}

/** The first line of an attached text, which names it. Like an image, the file itself is not part of what was said. */
function withoutFile(block: unknown): unknown {
  const text = ownValue(block, 'type') === 'text' ? ownValue(block, 'text') : undefined;
  if (typeof text !== 'string' || !text.startsWith(`<${attachedTag} `)) return block;
  return { type: 'text', text: text.split('\n', 1)[0] };
}

/** The text of a content: of a message, or of the result of a tool. */
export function textOfBlocks(content: unknown): string {
  return blocksOf(content).map(textOf).join('\n');
}

function textOf(block: unknown): string {
  switch (ownValue(block, 'type')) {
    case 'text': {
      const text = ownValue(block, 'text');
      return typeof text === 'string' ? text : '';
    }
    case 'tool_result':
      return textOfBlocks(ownValue(block, 'content'));
    case 'image':
    case 'document':
      return `[${String(ownValue(block, 'type'))}]`;
    default:
      return '';
  }
}

function toolOf(block: unknown): string[] {
  const name = ownValue(block, 'type') === 'tool_use' ? ownValue(block, 'name') : undefined;
  return typeof name === 'string' ? [name] : [];
}
