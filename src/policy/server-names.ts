import { AppError } from '../core/errors.js';
import type { PolicySettings } from './settings.js';

/**
 * Refuses server names that existing rules cover. A rule for an MCP server was written for the server of the user or
 * operator, not for a caller's server of the same name.
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

/** Claude Code names the tools of a server `mcp__server__tool`. */
function covers(rule: string, name: string): boolean {
  const [pattern = ''] = rule.toLowerCase().split('(', 1);
  const server = `mcp__${name.replace(/[^\w-]/g, '_').toLowerCase()}`;
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === server || pattern.startsWith(`${server}__`);
  const start = pattern.slice(0, star);
  // A lone star pre-approves everything and means no particular server.
  return start !== '' && (`${server}__`.startsWith(start) || start.startsWith(`${server}__`));
}
