import { toolOfRule } from '../../core/options/permission-rules.js';
import type { Effort } from '../../core/text/effort.js';
import { effortOfRules, mayMatchPath } from './path-pattern.js';
import type { Target } from '../gate/call.js';

/** Where patterns of rules start. */
export interface RulePlaces {
  /** The folders of the session. */
  readonly folders: readonly string[];
  readonly home: string;
}

/**
 * The first rule that could apply to reading this file. Only Claude Code can interpret its rules exactly, so in doubt a
 * rule applies.
 */
export function readRuleFor(
  rules: readonly string[],
  target: Target,
  places: RulePlaces,
): string | undefined {
  const effort = effortOfRules();
  return rules.find(
    (rule) =>
      mayMeanRead(toolOfRule(rule)) &&
      coversSome(patternOf(rule), [target.named, target.real], { ...places, effort }),
  );
}

/** A rule can name several tools: `*`, `Re*`. */
function mayMeanRead(name: string): boolean {
  const [start = '', ...rest] = name.split('*');
  return rest.length === 0 ? name === 'Read' : 'Read'.startsWith(start);
}

/** Undefined for a rule about the whole tool. */
function patternOf(rule: string): string | undefined {
  return /^[^(]*\((.*)\)$/s.exec(rule)?.[1]?.trim();
}

function coversSome(
  pattern: string | undefined,
  paths: readonly string[],
  { folders, home, effort }: RulePlaces & { readonly effort: Effort },
): boolean {
  if (pattern === undefined || pattern === '') return true;
  // It only takes back what another pattern covers.
  if (pattern.startsWith('!')) return false;
  const covers = (base: string, words: string): boolean =>
    paths.some((path) => mayMatchPath(`${base}/${words}`, path, effort));
  if (pattern.startsWith('//')) return covers('', pattern.slice(2));
  if (/^~(?:\/|$)/.test(pattern)) return covers(literal(home), pattern.slice(2));
  const words = pattern.replace(/^(?:\.?\/)+/, '');
  // Without a slash, or with one at its end only, it matches at any depth.
  const isDeep = !pattern.startsWith('/') && !words.slice(0, -1).includes('/');
  return folders.some((folder) => covers(literal(folder), isDeep ? `**/${words}` : words));
}

/** The path as a pattern that matches only itself. */
function literal(path: string): string {
  return path.replaceAll('\\', '/').replace(/[*?[\]{}!]/g, '\\$&');
}
