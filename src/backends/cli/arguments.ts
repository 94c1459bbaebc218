import type { Launch } from '../../core/claude/backend.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { OpenLaunch } from '../launches/launches.js';
import { allowedRules, skillRules } from '../gate/allowed-rules.js';
import { launchSettings } from '../shared/launch-settings.js';

type OptionKey = keyof EffectiveOptions;

/** `files` takes values that must not show in the process list, or that are too long for an argument. */
interface FlagContext {
  readonly all: EffectiveOptions;
  readonly files: Pick<OpenLaunch, 'write'>;
}

type ToFlags<K extends OptionKey> = (
  value: NonNullable<EffectiveOptions[K]>,
  context: FlagContext,
) => readonly string[];

/** The session layer applies it, or it reaches Claude Code without a flag of its own. */
const elsewhere = (): readonly string[] => [];

/** How each option reaches Claude Code. A new option does not compile until it has a line here. */
const mapOption: { readonly [K in OptionKey]: ToFlags<K> } = {
  // The working directory of the process.
  cwd: elsewhere,
  additionalDirectories: (folders) => folders.map((folder) => flag('add-dir', folder)),
  settingSources: (sources) => [flag('setting-sources', sources.join(','))],
  model: (model) => [flag('model', model)],
  systemPrompt: (prompt, { all, files }) =>
    typeof prompt === 'string'
      ? [flag('system-prompt-file', files.write('system-prompt.txt', prompt))]
      : appended([prompt.append ?? '', ...all.notes], files),
  title: (title) => [flag('name', title)],
  effort: (effort) => [flag('effort', effort)],
  permissionMode: (mode) => [flag('permission-mode', mode)],
  // Passed together with the granted rules and those of the project.
  allowedTools: elsewhere,
  disallowedTools: (rules) => listed('disallowedTools', rules),
  // An empty list means no tools at all.
  tools: (tools) => [flag('tools', Array.isArray(tools) ? tools.join(',') : 'default')],
  // Chosen when the process is initialized, and passed together with the granted rules.
  skills: elsewhere,
  // Sent with each prompt.
  slashCommands: elsewhere,
  thinking: (thinking) => [thinkingFlag(thinking)],
  fallbackModel: (model) => [flag('fallback-model', model)],
  betas: (betas) => listed('betas', betas),
  planModeInstructions: (words) => [flag('plan-mode-instructions', words)],
  outputFormat: ({ schema }) => [flag('json-schema', JSON.stringify(schema))],
  includePartialMessages: (isOn) => (isOn ? ['--include-partial-messages'] : []),
  forwardSubagentText: (isOn) => (isOn ? ['--forward-subagent-text'] : []),
  agents: (agents, { files }) => [flag('agents', files.write('agents.json', JSON.stringify(agents)))],
  agent: (agent) => [flag('agent', agent)],
  // Passed in a file.
  mcpServers: elsewhere,
  strictMcpConfig: (isStrict) => (isStrict ? ['--strict-mcp-config'] : []),
  env: elsewhere,
  // Part of the settings.
  sandbox: elsewhere,
  pathToClaudeCodeExecutable: elsewhere,
  debug: (isOn) => (isOn ? ['--debug'] : []),
  debugFile: (path) => [flag('debug-file', path)],
  // Part of the environment.
  enableFileCheckpointing: elsewhere,
  maxTurns: (turns) => [flag('max-turns', String(turns))],
  // Passed as the remaining budget instead.
  maxBudgetUsd: elsewhere,
  permissionRequestTimeoutMs: elsewhere,
  timeoutMs: elsewhere,
  sessionInitTimeoutMs: elsewhere,
  persistSession: (isKept) => (isKept ? [] : ['--no-session-persistence']),
  projectSettings: elsewhere,
  skippedFiles: elsewhere,
  // Part of the settings, and of the allowed rules.
  permissionRules: elsewhere,
  withheldServers: elsewhere,
  startableServers: elsewhere,
  withheldPlugins: elsewhere,
  // Part of the environment.
  untrustedFolders: elsewhere,
  notes: (notes, { all, files }) => (all.systemPrompt === undefined ? appended(notes, files) : []),
};

/** Joins flag and value with `=`, because a separate value could be parsed as another flag. */
export function toArguments(launch: Launch, files: Pick<OpenLaunch, 'write'>): string[] {
  const { options, budgetLeftUsd, claudeSessionId, from } = launch;
  return [
    '-p',
    '--input-format=stream-json',
    '--output-format=stream-json',
    '--verbose',
    ...conversation(claudeSessionId, from),
    ...Object.keys(mapOption).flatMap((key) => mapOne(key as OptionKey, { all: options, files })),
    ...listed('allowedTools', [...allowedRules(launch), ...skillRules(options)]),
    ...(budgetLeftUsd === undefined ? [] : [flag('max-budget-usd', String(budgetLeftUsd))]),
    flag('settings', JSON.stringify(settingsOf(launch))),
    flag('permission-prompt-tool', 'stdio'),
  ];
}

function mapOne<K extends OptionKey>(key: K, context: FlagContext): readonly string[] {
  const value = context.all[key];
  const map: ToFlags<K> = mapOption[key];
  return value === undefined || value === null ? [] : map(value, context);
}

function conversation(claudeSessionId: string, from: Launch['from']): string[] {
  if (from.type === 'start') return [flag('session-id', claudeSessionId)];
  const at = from.at === undefined ? [] : [flag('resume-session-at', from.at)];
  if (from.type === 'resume') return [flag('resume', claudeSessionId), ...at];
  return [flag('resume', from.claudeSessionId), '--fork-session', flag('session-id', claudeSessionId), ...at];
}

function settingsOf(launch: Launch): object {
  const { sandbox } = launch.options;
  return { ...launchSettings(launch), ...(sandbox === undefined ? {} : { sandbox }) };
}

function thinkingFlag(thinking: NonNullable<EffectiveOptions['thinking']>): string {
  return thinking.type === 'enabled' && thinking.budgetTokens !== undefined
    ? flag('max-thinking-tokens', String(thinking.budgetTokens))
    : flag('thinking', thinking.type === 'disabled' ? 'disabled' : 'adaptive');
}

function appended(parts: readonly string[], files: FlagContext['files']): string[] {
  const words = parts.filter((part) => part !== '').join('\n\n');
  return words === ''
    ? []
    : [flag('append-system-prompt-file', files.write('append-system-prompt.txt', words))];
}

function listed(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [flag(name, values.join(','))];
}

function flag(name: string, value: string): string {
  return `--${name}=${value}`;
}
