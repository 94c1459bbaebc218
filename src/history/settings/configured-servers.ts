import { join } from 'node:path';
import type { ClaudeHome } from '../claude-home.js';
import { asText, isObject, ownValue } from '../../core/json.js';
import { withParents } from '../../core/paths.js';
import { readJsonFileSync } from '../../files/json-file.js';
import { projectKey } from './folder-trust.js';

/** A file of a project that is longer than this lists no servers. */
const maxProjectBytes = 4 * 1024 * 1024;

/** The host or the program of each configured MCP server, by its name. */
export type ConfiguredServers = Readonly<Record<string, string>>;

/**
 * The MCP servers in the user's configuration: for all projects, for single projects, and for the machine. Those of the
 * folder itself and its parents count only if it is trusted. Plugins and connectors are not listed in these files.
 */
export function readConfiguredServers(
  { stateFile, managedDir }: ClaudeHome,
  cwd: string,
  isTrusted: boolean,
): ConfiguredServers {
  const state = readJsonFileSync(stateFile);
  const projects = ownValue(state, 'projects');
  // Where names collide, the last one is that of this folder.
  return Object.assign(
    {},
    ...(isObject(projects) ? Object.values(projects).map((project) => serversIn(project)) : []),
    serversIn(state),
    ...(isTrusted ? withParents(cwd) : []).toReversed().map((one) => serversInFile(join(one, '.mcp.json'))),
    serversIn(ownValue(projects, projectKey(cwd))),
    serversIn(readJsonFileSync(join(managedDir, 'managed-settings.json')), 'managedMcpServers'),
    serversInFile(join(managedDir, 'managed-mcp.json')),
  ) as ConfiguredServers;
}

function serversInFile(path: string): ConfiguredServers {
  return serversIn(readJsonFileSync(path, maxProjectBytes));
}

function serversIn(value: unknown, key = 'mcpServers'): ConfiguredServers {
  const servers = ownValue(value, key);
  if (!isObject(servers)) return {};
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, addressOf(server)]));
}

/** The host of a remote server, or the program of a local one; empty if the configuration says neither. */
export function addressOf(server: unknown): string {
  const url = asText(ownValue(server, 'url'));
  if (url === undefined) return asText(ownValue(server, 'command')) ?? '';
  return URL.canParse(url) ? new URL(url).host : url;
}
