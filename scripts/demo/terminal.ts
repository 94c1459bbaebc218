/** Prints lines no wider than the terminal, in colour only if the terminal shows colours. */
import { escapeHidden } from '../../src/core/text/escape.js';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
type Style = keyof typeof CODES;

const WIDEST = 100;
const NARROWEST = 40;
const MARGIN = '   ';

export interface Terminal {
  /** The title of a step. */
  step(title: string): void;
  /** A tool call. */
  sent(tool: string, args: Readonly<Record<string, unknown>>): void;
  /** An answer, in one line. */
  received(words: string): void;
  line(words: string, style?: Style): void;
  /** A name and its value. Long values continue on the next line. */
  field(name: string, value: string): void;
  /** Text line by line, each prefixed with a bar. */
  quote(text: string): void;
  /** A check that passed. */
  passed(words: string): void;
  failed(words: string): void;
}

export function createTerminal(stream: NodeJS.WriteStream, noColor: string | undefined): Terminal {
  const isColoured = stream.isTTY && (noColor === undefined || noColor === '');
  const paint = (text: string, style: Style | undefined): string =>
    isColoured && style !== undefined ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
  const width = (): number => Math.max(NARROWEST, Math.min(WIDEST, stream.columns ?? WIDEST)) - 1;

  /** The first line begins with `first` in colour. The others are indented to its width. */
  function write(first: string, words: string, { mark, body }: { mark?: Style; body?: Style } = {}): void {
    const indent = ' '.repeat(first.length);
    for (const [index, text] of wrap(words, width() - first.length).entries()) {
      const start = index === 0 ? paint(text === '' ? first.trimEnd() : first, mark) : indent;
      stream.write(`${start}${paint(text, body)}\n`);
    }
  }

  let steps = 0;
  return {
    step(title) {
      steps += 1;
      stream.write('\n');
      write(`${steps}  `, title, { mark: 'bold', body: 'bold' });
    },
    sent: (tool, args) => write(`${MARGIN}> `, `${tool} ${compact(args)}`, { mark: 'cyan', body: 'cyan' }),
    received: (words) => write(`${MARGIN}< `, words, { mark: 'dim' }),
    line: (words, style) => write(MARGIN, words, style === undefined ? {} : { body: style }),
    field: (name, value) => write(`${MARGIN}  ${name.padEnd(8)} `, value, { mark: 'dim' }),
    quote(text) {
      for (const line of text.trimEnd().split('\n')) write(`${MARGIN}  | `, line, { mark: 'dim' });
    },
    passed: (words) => write(`${MARGIN}ok `, words, { mark: 'green' }),
    failed: (words) => write('FAILED ', words, { mark: 'red' }),
  };
}

/** Formats arguments as a person would write them: `{ prompt: "Write it", waitMs: 20000 }`. */
function compact(args: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Breaks at spaces, and inside long words. Escapes control characters, because a model wrote the text. */
function wrap(words: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = escapeHidden(words.replaceAll('\t', '  ').replaceAll('\n', ' '));
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
