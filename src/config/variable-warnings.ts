import { nearest } from '../core/text/nearest.js';
import { ownVariables, settingRows } from './settings.js';

const prefix = 'CLAUDE_CODE_MCP_';
const mostEdits = 2;

/** Turns `CLAUDE_CODE_MCP_MAX_SESSIONS` into `MAX_SESSIONS`. Some of our prefixes lack `MCP_`. */
const bareName = (name: string): string => name.replace(/^CLAUDE_CODE_(MCP_)?/, '');

/** Warns about variables that were probably meant for this server but have no effect. Never shows values. */
export function variableWarnings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(environment).filter(
    (name) => !ownVariables.has(name) && environment[name] !== '',
  );
  const byBareName = new Map(settingRows.map(({ env: [own] }) => [bareName(own), own]));
  return names.flatMap((name) => {
    const own = byBareName.get(name);
    // The system's PATH is not a CLAUDE_CODE_PATH without its prefix.
    if (own !== undefined && name !== 'PATH') {
      const isSet = (environment[own] ?? '') !== '';
      return isSet ? [] : [`${name} has no effect. Set ${own} instead.`];
    }
    // Claude Code has variables with our prefix, so an unknown name is a mistake only if it is close to one of ours.
    if (!name.startsWith(prefix)) return [];
    const meant = byBareName.get(nearest(bareName(name), byBareName.keys(), mostEdits) ?? '');
    return meant === undefined ? [] : [`${name} is not a setting: did you mean ${meant}?`];
  });
}
