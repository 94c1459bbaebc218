import { nearest } from './nearest.js';
import { ownVariables, settingRows } from './settings.js';

const prefix = 'CLAUDE_CODE_MCP_';
const mostEdits = 2;

/** A few of our variables have no `MCP_` in them; with it they are the likeliest slip of all. */
const tailOf = (name: string): string => name.replace(/^CLAUDE_CODE_(MCP_)?/, '');

/**
 * Variables that look like a slip of the pen. Claude Code has variables of its own with our prefix, so a name we do
 * not know is no mistake in itself.
 */
export function nearMisses(names: readonly string[]): string[] {
  const unknown = names.filter((name) => name.startsWith(prefix) && !ownVariables.has(name));
  if (unknown.length === 0) return [];
  const byTail = new Map(settingRows.map(([, { env }]) => [tailOf(env[0]), env[0]]));
  return unknown.flatMap((name) => {
    const meant = byTail.get(nearest(tailOf(name), byTail.keys(), mostEdits) ?? '');
    return meant === undefined ? [] : [`${name} is not a setting: did you mean ${meant}?`];
  });
}
