import { AppError } from '../core/errors.js';
import type { PolicySettings } from './settings.js';

/**
 * A server gets what was allowed to another one of its name. Rules that let tools of an MCP server run unasked were made
 * with the server of the user or the operator in mind, not with one that a caller brings along.
 */
export function refuseTakenNames(
  servers: Readonly<Record<string, unknown>>,
  allowRules: readonly string[],
  { callerTrust, defaultAllowedTools = [], preallow = [] }: PolicySettings,
): void {
  if (callerTrust === 'full') return;
  const rules = [...allowRules, ...defaultAllowedTools, ...preallow];
  for (const name of Object.keys(servers)) {
    const rule = rules.find((candidate) => covers(candidate, name));
    if (rule === undefined) continue;
    throw new AppError('server_name_taken', { name, rule });
  }
}

/** Names of tools as Claude Code makes them: `mcp__server__tool`. */
function covers(rule: string, name: string): boolean {
  const [pattern = ''] = rule.toLowerCase().split('(', 1);
  const server = `mcp__${name.replace(/[^\w-]/g, '_').toLowerCase()}`;
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === server || pattern.startsWith(`${server}__`);
  const start = pattern.slice(0, star);
  // A lone star is everything that an operator lets callers have unasked, and means no server in particular.
  return start !== '' && (`${server}__`.startsWith(start) || start.startsWith(`${server}__`));
}
