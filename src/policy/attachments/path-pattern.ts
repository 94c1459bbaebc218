import { Effort } from '../../core/text/effort.js';

const many = Symbol('*');
const one = Symbol('?');

type Token = string | typeof many | typeof one;
/** What one name of a path must look like; `any` stands for any number of names. */
type Part = readonly Token[] | 'any';

/** Each rule of a person takes a few hundred steps. All steps together take less than a second. */
const mostSteps = 2_000_000;

/** For all rules of a question together. */
export function effortOfRules(): Effort {
  return new Effort(mostSteps);
}

/**
 * Whether a pattern, written as in a .gitignore file and absolute, could match a path or a folder above it. Where a
 * pattern is unclear, or too much work, it matches. Takes no regular expression: a caller could write one that takes hours.
 */
export function mayMatchPath(pattern: string, path: string, effort = effortOfRules()): boolean {
  effort.spend(pattern.length + path.length);
  if (effort.isSpent || climbsBehindWildcard(pattern)) return true;
  const parts = partsOf(pattern);
  const names = namesOf(comparable(path));
  // The parts so far match the first n names, for each n of these, the lowest first.
  let reached: readonly number[] = [0];
  for (const part of parts) {
    effort.spend(1 + names.length);
    reached = after(part, reached, { names, effort });
    if (effort.isSpent) return true;
    if (reached.length === 0) return false;
  }
  return true;
}

/** `..` there leads back from a folder that is not known. */
function climbsBehindWildcard(pattern: string): boolean {
  const wildcard = pattern.search(/[*?[{]/);
  return wildcard !== -1 && pattern.includes('..', wildcard);
}

function after(
  part: Part,
  reached: readonly number[],
  { names, effort }: { readonly names: readonly string[]; readonly effort: Effort },
): readonly number[] {
  const [lowest = 0] = reached;
  if (part === 'any') return Array.from({ length: names.length - lowest + 1 }, (_, more) => lowest + more);
  return reached
    .filter((count) => {
      const name = names[count];
      return name !== undefined && isMatch(part, name, effort);
    })
    .map((count) => count + 1);
}

/** Steps through both, and returns to the last `*` after a mismatch. */
function isMatch(tokens: readonly Token[], name: string, effort: Effort): boolean {
  const chars = Array.from(name);
  let [at, token, star, starAt] = [0, 0, -1, 0];
  while (at < chars.length) {
    effort.spend(1);
    if (effort.isSpent) return true;
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
  effort.spend(tokens.length - token);
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
  let isEscaped = false;
  for (const char of name) {
    if (isEscaped) tokens.push(char);
    else if (char === '*') tokens.push(many);
    else if (char === '?') tokens.push(one);
    // A class of characters. What follows it is not read.
    else if (char === '[') return [...tokens, many];
    else if (char !== '\\') tokens.push(char);
    isEscaped = char === '\\' && !isEscaped;
  }
  return isEscaped ? [...tokens, '\\'] : tokens;
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
