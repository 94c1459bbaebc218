import { cutMiddle } from '../../core/text/escape.js';

/** Limits for one message. */
export interface Shortness {
  readonly textChars: number;
  readonly listItems: number;
  /** Also removes totals, empty values and all ids but the uuid, by which the whole message can be read. */
  readonly isBare?: boolean;
}

/** A message of Claude Code, and whether it was truncated. */
export interface ShownMessage {
  readonly message: unknown;
  readonly isShortened: boolean;
}

const maxDepth = 12;
/** The parts of a message have fewer keys, unless they are data of a tool. */
const fewKeys = 20;

/** Keys to keep in messages that mostly describe how Claude Code was run. */
const essentials: Readonly<Record<string, ReadonlySet<string>>> = {
  init: new Set(['type', 'subtype', 'uuid', 'cwd', 'model', 'permissionMode', 'tools']),
  assistant: new Set(['type', 'uuid', 'message', 'parent_tool_use_id', 'error']),
  user: new Set(['type', 'uuid', 'message', 'parent_tool_use_id']),
  result: new Set([
    'type',
    'uuid',
    'subtype',
    'is_error',
    'result',
    'errors',
    'terminal_reason',
    'num_turns',
    'total_cost_usd',
    'permission_denials',
    'structured_output',
  ]),
};

const bookkeeping: ReadonlySet<string> = new Set([
  'session_id',
  'id',
  'usage',
  'signature',
  'stop_sequence',
  'context_management',
  'timestamp',
]);

/** Truncates texts in the middle and lists at the end, and notes in place how much is missing. */
export function shorten(message: unknown, shortness: Shortness): ShownMessage {
  let isShortened = false;
  const cut = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      if (value.length <= shortness.textChars) return value;
      isShortened = true;
      return cutMiddle(value, shortness.textChars);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maxDepth) {
      isShortened = true;
      return '…';
    }
    if (Array.isArray(value)) return cutList(value, depth);
    const entries = Object.entries(value);
    const shown =
      shortness.isBare === true ? entries.filter(depth === 0 ? isEssential(value) : tells) : entries;
    if (shown.length < entries.length) isShortened = true;
    return Object.fromEntries(
      (depth === 0 ? shown : firstKeys(shown)).map(([key, part]) => [key, cut(part, depth + 1)]),
    );
  };
  const firstKeys = (entries: [string, unknown][]): [string, unknown][] => {
    const first = entries.slice(0, Math.max(fewKeys, shortness.listItems));
    if (first.length === entries.length) return entries;
    isShortened = true;
    return [...first, ['…', `[${entries.length - first.length} more]`]];
  };
  const cutList = (list: readonly unknown[], depth: number): unknown[] => {
    const shown = list.slice(0, shortness.listItems).map((item) => cut(item, depth + 1));
    if (shown.length === list.length) return shown;
    isShortened = true;
    return [...shown, `…[${list.length - shown.length} more]`];
  };
  return { message: cut(message, 0), isShortened };
}

function isEssential(message: object): (entry: [string, unknown]) => boolean {
  const { type, subtype } = message as { readonly type?: unknown; readonly subtype?: unknown };
  const kind = String(type === 'system' ? subtype : type);
  const kept = Object.hasOwn(essentials, kind) ? essentials[kind] : undefined;
  return (entry) => tells(entry) && (kept?.has(entry[0]) ?? true);
}

function tells([key, value]: [string, unknown]): boolean {
  if (bookkeeping.has(key) || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** From nearly complete to one line per text. */
const steps: readonly Shortness[] = [
  { textChars: 16_000, listItems: 1_000 },
  { textChars: 12_000, listItems: 1_000 },
  { textChars: 8_000, listItems: 500 },
  { textChars: 4_000, listItems: 200 },
  { textChars: 1_000, listItems: 50 },
  { textChars: 200, listItems: 20, isBare: true },
  { textChars: 60, listItems: 5, isBare: true },
];

const leastShown = '…';

/** The longest version of a message whose JSON has at most `maxChars` characters. */
export function shortenTo(
  message: unknown,
  maxChars: number,
): { readonly shown: ShownMessage; readonly chars: number } {
  for (const step of steps) {
    const shown = shorten(message, step);
    const chars = JSON.stringify(shown.message).length;
    if (chars <= maxChars) return { shown, chars };
  }
  return { shown: { message: leastShown, isShortened: true }, chars: leastShown.length };
}
