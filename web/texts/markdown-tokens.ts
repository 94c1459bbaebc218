import { Lexer, type Token, type Tokens } from 'marked';

/** Longer text is shown as it is, because the lexer would block the page. */
const maxChars = 100_000;
/** The time of the lexer grows with the square of a paragraph. */
const maxInlineChars = 3_000;
/** The lexer fills every row of a table up to the width of the first. */
const maxCells = 20_000;
/** Lists and quotes within each other on a single line, each of which the lexer reads again. */
const deepLine = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]))){50}/m;

/** The tokens of a text, or undefined if it must be shown as it is. */
export function markdownTokens(text: string): readonly Token[] | undefined {
  if (text.length > maxChars || mostCellsIn(text) > maxCells || deepLine.test(text)) return undefined;
  try {
    return new BoundedLexer().lex(text);
  } catch {
    // Deep nesting exhausts the stack.
    return undefined;
  }
}

/** A row with more cells than the first one loses them in the lexer. */
export function hasAllCells({ raw, header, rows }: Tokens.Table): boolean {
  const cells = [...header, ...rows.flat()].map(({ text }) => text).join('');
  return withoutLines(raw) === withoutLines(cells);
}

/** Text without what draws a table. */
function withoutLines(text: string): string {
  return text.replaceAll(/[\s|:\\-]/g, '');
}

function mostCellsIn(text: string): number {
  const lines = text.split('\n');
  const widest = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  return widest * lines.length;
}

class BoundedLexer extends Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length <= maxInlineChars) return super.inlineTokens(text, tokens);
    tokens.push({ type: 'text', raw: text, text, escaped: false });
    return tokens;
  }
}
