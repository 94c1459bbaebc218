import { serverPrefix } from '../core/claude/server-prefix.js';
import { AppError } from '../core/errors.js';
import { toolOfRule } from '../core/options/permission-rules.js';
import type { PolicySettings } from './settings.js';

/** What the names of a caller's servers may not be taken for. */
export interface TakenNames {
  /** Allow rules in the settings of the user and of a trusted folder. */
  readonly allowRules: readonly string[];
  /** Names of the MCP servers that the user or an administrator has configured. */
  readonly configuredServers: readonly string[];
}

/**
 * Refuses names of a caller's MCP servers that belong to someone else. An approver reads `mcp__github__create_issue` and
 * thinks of the user's own server, and a rule for that tool was written for it.
 */
export function refuseTakenNames(
  servers: Readonly<Record<string, unknown>>,
  { allowRules, configuredServers }: TakenNames,
  { callerTrust, defaultAllowedTools = [], preallow = [] }: PolicySettings,
): void {
  if (callerTrust === 'full') return;
  const rules = [...allowRules, ...defaultAllowedTools, ...preallow];
  const names = Object.keys(servers);
  for (const name of names) {
    const problem = confusion(name, names) ?? namesake(name, configuredServers) ?? coveringRule(name, rules);
    if (problem !== undefined) throw new AppError('server_name_taken', { name, problem });
  }
}

/** Claude Code names the servers of plugins `plugin:…`, and the connectors of an account `claude.ai …`. */
const reservedPrefixes = ['plugin_', 'claude_ai'];

/** Claude Code takes everything up to the next `__` in the name of a tool for the server. */
function confusion(name: string, names: readonly string[]): string | undefined {
  const prefix = serverPrefix(name);
  if (/__|^_|_$/.test(prefix)) return 'its tools would look like those of another server';
  if (reservedPrefixes.some((reserved) => prefix.startsWith(reserved)))
    return 'Claude Code gives such names to plugins and connectors';
  const isTwice = names.some((other) => other !== name && serverPrefix(other) === prefix);
  return isTwice ? 'the tools of two of these servers would have the same names' : undefined;
}

function namesake(name: string, configured: readonly string[]): string | undefined {
  const prefix = serverPrefix(name);
  const taken = configured.some((other) => `${serverPrefix(other)}__`.startsWith(`${prefix}__`));
  return taken ? 'the user has a server with this name' : undefined;
}

function coveringRule(name: string, rules: readonly string[]): string | undefined {
  const rule = rules.find((candidate) => covers(candidate, name));
  return rule && `the rule "${rule}" pre-approves the tools of a server with this name`;
}

function covers(rule: string, name: string): boolean {
  const pattern = toolOfRule(rule).toLowerCase();
  const server = `mcp__${serverPrefix(name)}`;
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === server || pattern.startsWith(`${server}__`);
  const start = pattern.slice(0, star);
  // A lone star pre-approves everything and means no particular server.
  return start !== '' && (`${server}__`.startsWith(start) || start.startsWith(`${server}__`));
}
