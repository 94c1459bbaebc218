import { basename, isAbsolute } from 'node:path';
import { serverPrefix } from '../core/claude/server-prefix.js';
import { AppError } from '../core/errors.js';
import type { WithheldServer } from '../core/options/index.js';
import { toolOfRule } from '../core/options/permission-rules.js';
import { isInside } from '../core/paths.js';
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

/** A server of the user that starts a program, in the folder of the session. */
export interface StartedServer {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

/**
 * The servers that must not start in an untrusted folder: `npx x` runs `node_modules/.bin/x` of the folder,
 * and `python -m x` its `x.py`. Only a program with an absolute path that runs nothing, or a script with an absolute
 * path, certainly does not look there.
 */
export function withheldServersOf(
  servers: readonly StartedServer[],
  cwd: string,
  ofCaller: Readonly<Record<string, unknown>>,
): WithheldServer[] {
  return servers
    .filter(({ command }) => !isIndependent(command, cwd))
    .map(({ name, command }) => {
      // By name, the server of a trusted caller would not start either.
      const isNamed = /^[\w-]+$/.test(name) && !Object.hasOwn(ofCaller, name);
      return { name, entry: isNamed ? { serverName: name } : { serverCommand: command } };
    });
}

/** These also read their configuration from the folder. */
const configuredByFolder = /^(?:bun|deno)\b/;
/** These start the program that follows. */
const wrappers = /^(?:env|nice|nohup|timeout|time|setsid|stdbuf|sudo|doas|xargs)(?:\.exe)?$/;
/** Also as a script that an absolute path names, these run programs of the folder, or read its configuration. */
const launchers =
  /(?:^|[\\/])(?:(?:npx|npm|pnpm|pnpx|yarn|yarnpkg|corepack|bunx|tsx|ts-node|vite-node|jiti)(?:-(?:cli|esm|script|cwd))?(?:\.\w+)*|node_modules[\\/](?:npm|pnpm|yarn|corepack|tsx|ts-node|vite-node|jiti)[\\/].*)$/i;

function isIndependent([program, ...words]: StartedServer['command'], cwd: string): boolean {
  const isElsewhere = (path: string): boolean => isAbsolute(path) && !isInside(path, cwd);
  const [script, ...more] = words;
  if (!isElsewhere(program) || [program, ...words].some((word) => launchers.test(word))) return false;
  if (configuredByFolder.test(basename(program))) return false;
  if (script === undefined) return true;
  return wrappers.test(basename(program)) ? isIndependent([script, ...more], cwd) : isElsewhere(script);
}
