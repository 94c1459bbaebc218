import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asList, isObject, ownValue } from '../../core/json.js';
import { readSettings } from './settings-file.js';
import { exists } from './files-around.js';

/** Something in a project that Claude Code loads or runs only if the folder is trusted. */
export interface ProjectContent {
  /** Relative to the folder. */
  readonly path: string;
  readonly does: string;
  /** What it contains, by name. */
  readonly names: readonly string[];
  /** It can start programs without asking. */
  readonly isActive: boolean;
}

const instructionFiles = [
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  '.claude/AGENTS.md',
];
const settingsFiles = ['.claude/settings.json', '.claude/settings.local.json'];
const folders: readonly (readonly [path: string, does: string])[] = [
  ['.claude/rules', 'instructions for Claude'],
  ['.claude/skills', 'skills, which may run commands and hooks'],
  ['.claude/commands', 'slash commands, which may run commands and hooks'],
  ['.claude/agents', 'agents, which may run hooks and MCP servers'],
  ['.claude/workflows', 'workflows, which are scripts'],
  ['.claude/output-styles', 'output styles'],
  ['.claude/agent-memory', 'memories of agents'],
  ['.claude/agent-memory-local', 'memories of agents'],
];
/** Contain text for the model only. All others may run programs. */
const passive: ReadonlySet<string> = new Set([
  '.claude/rules',
  '.claude/output-styles',
  '.claude/agent-memory',
  '.claude/agent-memory-local',
]);
const maxFiles = 6;

/** What trusting a folder would activate in it. Reads names only, and the settings. */
export async function projectContents(folder: string): Promise<readonly ProjectContent[]> {
  const found = await Promise.all([
    ...instructionFiles.map((path) => instructions(folder, path)),
    ...folders.map(([path, does]) => filesIn(folder, path, does)),
    ...settingsFiles.map((path) => settings(folder, path)),
    servers(folder),
    tasks(folder),
  ]);
  return found.filter((content) => content !== undefined);
}

type Found = Promise<ProjectContent | undefined>;

async function instructions(folder: string, path: string): Found {
  if (!(await exists(join(folder, path)))) return undefined;
  return { path, does: 'instructions for Claude', names: [], isActive: false };
}

async function filesIn(folder: string, path: string, does: string): Found {
  const files = await readdir(join(folder, path)).catch(() => []);
  if (files.length === 0) return undefined;
  // The mark applies to each of them, so some names are enough.
  const more = files.length > maxFiles ? [`and ${files.length - maxFiles} more`] : [];
  return { path, does, names: [...files.slice(0, maxFiles), ...more], isActive: !passive.has(path) };
}

/** Settings that neither run nor permit anything. All others may, also those that a later Claude Code adds. */
const harmless: ReadonlySet<string> = new Set([
  '$schema',
  'attribution',
  'cleanupPeriodDays',
  'effortLevel',
  'includeCoAuthoredBy',
  'language',
  'model',
  'outputStyle',
]);
const restricting: ReadonlySet<string> = new Set(['deny', 'ask']);
/** Shown by what they contain. */
const described: ReadonlySet<string> = new Set(['hooks', 'env', 'permissions']);

async function settings(folder: string, path: string): Found {
  if (!(await exists(join(folder, path)))) return undefined;
  const value = await readSettings(join(folder, path), folder).catch(() => undefined);
  if (!isObject(value)) return { path, does: 'settings that cannot be read', names: [], isActive: true };
  const allowed = asList(ownValue(value, 'permissions', 'allow')).length;
  const names = [
    ...keysOf(value['hooks']).map((event) => `hook ${event}`),
    ...Object.keys(value).filter((key) => !harmless.has(key) && !described.has(key)),
    ...(allowed === 0 ? [] : [`${allowed} allowed tool rule${allowed === 1 ? '' : 's'}`]),
    ...keysOf(value['permissions'])
      .filter((key) => key !== 'allow' && !restricting.has(key))
      .map((key) => `permissions.${key}`),
    ...keysOf(value['env']).map((name) => `variable ${name}`),
  ];
  return { path, does: 'settings', names, isActive: names.length > 0 };
}

async function servers(folder: string): Found {
  const path = '.mcp.json';
  if (!(await exists(join(folder, path)))) return undefined;
  const value = await readSettings(join(folder, path), folder).catch(() => undefined);
  return { path, does: 'MCP servers', names: keysOf(ownValue(value, 'mcpServers')), isActive: true };
}

async function tasks(folder: string): Found {
  const path = '.claude/scheduled_tasks.json';
  if (!(await exists(join(folder, path)))) return undefined;
  return { path, does: 'prompts that run at set times', names: [], isActive: true };
}

function keysOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}
