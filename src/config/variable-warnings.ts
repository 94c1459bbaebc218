import { nearest } from './nearest.js';
import { ownVariables, settingRows } from './settings.js';

const prefix = 'CLAUDE_CODE_MCP_';
const mostEdits = 2;

/** `MAX_SESSIONS` of `CLAUDE_CODE_MCP_MAX_SESSIONS`. A few of our variables have no `MCP_` in their prefix. */
const bareName = (name: string): string => name.replace(/^CLAUDE_CODE_(MCP_)?/, '');

/** Warnings about variables that probably were meant for this server and have no effect. Values are never shown. */
export function variableWarnings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(environment).filter(
    (name) => !ownVariables.has(name) && environment[name] !== '',
  );
  const byBareName = new Map(settingRows.map(({ env: [own] }) => [bareName(own), own]));
  return names.flatMap((name) => {
    const own = byBareName.get(name);
    // The PATH of the system is not a CLAUDE_CODE_PATH without its prefix.
    if (own !== undefined && name !== 'PATH') {
      const isSet = (environment[own] ?? '') !== '';
      return isSet ? [] : [`${name} has no effect: the variable of this server is ${own}`];
    }
    // Claude Code has variables with our prefix, so an unknown name is a mistake only if it is close to one of ours.
    if (!name.startsWith(prefix)) return [];
    const meant = byBareName.get(nearest(bareName(name), byBareName.keys(), mostEdits) ?? '');
    return meant === undefined ? [] : [`${name} is not a setting: did you mean ${meant}?`];
  });
}
