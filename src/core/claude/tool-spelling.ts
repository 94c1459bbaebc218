import { AppError } from '../errors.js';
import { toolOfRule } from '../options/permission-rules.js';
import type { RequestedOptions } from '../options/index.js';
import { nearest } from '../text/nearest.js';
import { knownToolNames } from './claude-tools.js';

/** `bash(npm test)` -> `Bash(npm test)`: people and models write names in any case, Claude Code accepts only its own. */
export function inClaudesCase(rule: string): string {
  const name = toolOfRule(rule);
  const found = knownToolNames.find((tool) => tool.toLowerCase() === name.toLowerCase());
  return `${found ?? name}${rule.slice(name.length)}`;
}

/** What callers call a tool of Claude Code. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['shell', 'Bash'],
  ['terminal', 'Bash'],
  ['command', 'Bash'],
  ['exec', 'Bash'],
]);

/**
 * Returns a caller's rule with the name of the tool as Claude Code spells it. Refuses a misspelled name: Claude Code
 * would ignore the rule, and a tool that the caller forbids would run. Unknown names that resemble none pass, because
 * Claude Code gains tools.
 */
export function spelledRule(option: string, rule: string): string {
  const spelled = inClaudesCase(rule);
  const name = toolOfRule(spelled);
  // Claude Code has no such name, and the caller would expect that it has an effect.
  if (/^(?:all|any|everything|none)$/i.test(rule)) throw new AppError('tool_list_needed', { option, name });
  if (knownToolNames.includes(name) || !/^[A-Za-z]+$/.test(name)) return spelled;
  const meant = otherNames.get(name.toLowerCase()) ?? nearest(name, knownToolNames, name.length < 7 ? 1 : 2);
  if (meant === undefined) return spelled;
  throw new AppError('tool_misspelled', { option, name, meant });
}

/** The same for every option that names tools, in what a caller has requested. */
export function withSpelledTools<T extends { readonly [K in ToolOption]?: RequestedOptions[K] | null }>(
  requested: T,
): T {
  const { allowedTools, disallowedTools, tools, agents } = requested;
  const listed = (option: string, rules: readonly string[]): string[] =>
    rules.map((rule) => spelledRule(option, rule));
  return {
    ...requested,
    ...(allowedTools ? { allowedTools: listed('allowedTools', allowedTools) } : {}),
    ...(disallowedTools ? { disallowedTools: listed('disallowedTools', disallowedTools) } : {}),
    ...(Array.isArray(tools) ? { tools: listed('tools', tools) } : {}),
    ...(agents ? { agents: mapValues(agents, (agent) => withSpelledTools(agent)) } : {}),
  };
}

type ToolOption = 'allowedTools' | 'disallowedTools' | 'tools' | 'agents';

function mapValues<V>(values: Readonly<Record<string, V>>, change: (value: V) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
