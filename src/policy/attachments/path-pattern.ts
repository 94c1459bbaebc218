const many = Symbol('*');
const one = Symbol('?');

type Token = string | typeof many | typeof one;
/** What one name of a path must look like; `any` stands for any number of names. */
type Part = readonly Token[] | 'any';

/**
 * Whether a pattern, written as in a .gitignore file and absolute, could match a path or a folder above it. Where a
 * pattern is unclear, it matches. Takes no regular expression: a caller could write one that takes hours.
 */
export function mayMatchPath(pattern: string, path: string): boolean {
  if (/[*?[{].*\.\./.test(pattern)) return true;
  const parts = partsOf(pattern);
  const names = namesOf(comparable(path));
  // reached.has(n): the parts so far match the first n names.
  let reached = new Set([0]);
  for (const part of parts) {
    reached = new Set([...reached].flatMap((count) => after(part, count, names)));
    if (reached.size === 0) return false;
  }
  return true;
}

function after(part: Part, count: number, names: readonly string[]): readonly number[] {
  if (part === 'any') return Array.from({ length: names.length - count + 1 }, (_, more) => count + more);
  const name = names[count];
  return name !== undefined && isMatch(part, name) ? [count + 1] : [];
}

/** Steps through both, and returns to the last `*` after a mismatch. */
function isMatch(tokens: readonly Token[], name: string): boolean {
  const chars = Array.from(name);
  let [at, token, star, starAt] = [0, 0, -1, 0];
  while (at < chars.length) {
    const wanted = tokens[token];
    if (wanted === many) {
      [star, starAt] = [token, at];
      token += 1;
    } else if (wanted === one || wanted === chars[at]) {
      at += 1;
      token += 1;
    } else if (star >= 0) {
      starAt += 1;
      [at, token] = [starAt, star + 1];
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === many);
}

function partsOf(pattern: string): readonly Part[] {
  const parts: Part[] = [];
  for (const name of withoutDots(namesOf(comparable(pattern)))) {
    // Braces may contain slashes, if they mean anything.
    if (/(?<!\\)\{/.test(name)) return [...parts, 'any'];
    parts.push(/^\*\*+$/.test(name) ? 'any' : tokensOf(name));
  }
  return parts;
}

function withoutDots(names: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const name of names) {
    if (name === '..') kept.pop();
    else if (name !== '.') kept.push(name);
  }
  return kept;
}

function tokensOf(name: string): readonly Token[] {
  const tokens: Token[] = [];
  const chars = Array.from(name);
  for (let char = chars.shift(); char !== undefined; char = chars.shift()) {
    if (char === '\\') tokens.push(chars.shift() ?? char);
    else if (char === '*') tokens.push(many);
    else if (char === '?') tokens.push(one);
    // A class of characters. What follows it is not read.
    else if (char === '[') return [...tokens, many];
    else tokens.push(char);
  }
  return tokens;
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '');
}

/** Claude Code ignores case, and writes a drive such as `C:` as `/c`. */
function comparable(path: string): string {
  const form = path.normalize('NFC').toLowerCase();
  if (process.platform !== 'win32') return form;
  return form.replaceAll(/\\(?![*?[\]{}!()])/g, '/').replace(/^\/?([a-z]):/, '/$1');
}
