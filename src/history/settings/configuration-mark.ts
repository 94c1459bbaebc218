import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue, parseJson } from '../../core/json.js';
import { fileIdentity } from '../../files/file-identity.js';
import type { ClaudeHome } from '../claude-home.js';
import { readStateFile } from './state-file.js';

/** Files and folders of the user. Claude Code changes none of them by itself, except to renew a sign-in. */
const ofUser = [
  '.credentials.json',
  'CLAUDE.md',
  'agents',
  'commands',
  'hooks',
  'output-styles',
  'plugins/installed_plugins.json',
  'plugins/known_marketplaces.json',
  'rules',
  'settings.json',
  'skills',
];

const ofMachine = ['CLAUDE.md', 'managed-mcp.json', 'managed-settings.json'];

/** The parts of the state file that Claude Code reads at its start. It writes the others in every session. */
const ofState = ['customApiKeyResponses', 'mcpServers', 'oauthAccount', 'primaryApiKey'];

/**
 * Identifies the configuration of Claude Code outside of projects: settings, sign-in, MCP servers and plugins of the user
 * and of the machine.
 */
export async function configurationMark({ configDir, managedDir, stateFile }: ClaudeHome): Promise<string> {
  const parts = join(managedDir, 'managed-settings.d');
  const files = [
    ...ofUser.map((name) => join(configDir, name)),
    ...ofMachine.map((name) => join(managedDir, name)),
    ...namesIn(parts).map((name) => join(parts, name)),
  ];
  const state = parseJson((await readStateFile(stateFile)) ?? '');
  return JSON.stringify([
    files.map((path) => [path, fileIdentity(path)]),
    ofState.map((key) => ownValue(state, key)),
  ]);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
