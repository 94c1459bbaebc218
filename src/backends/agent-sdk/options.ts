import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { Launch } from '../../core/claude/backend.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { allowedRules } from '../gate/allowed-rules.js';
import { launchSettings, usesPromptRecord } from '../shared/launch-settings.js';

type OptionKey = keyof EffectiveOptions;
type OptionMapper = {
  readonly [K in OptionKey]: (value: NonNullable<EffectiveOptions[K]>) => Partial<Options>;
};

/** The session layer applies it, not Claude Code. */
const ours = (): Partial<Options> => ({});

/** How each option reaches Claude Code. A new option does not compile until it has a line here. */
const mapOption: OptionMapper = {
  cwd: (cwd) => ({ cwd }),
  additionalDirectories: (additionalDirectories) => ({ additionalDirectories }),
  settingSources: (settingSources) => ({ settingSources: [...settingSources] }),
  model: (model) => ({ model }),
  // Passed together with the notes.
  systemPrompt: ours,
  title: (title) => ({ title }),
  effort: (effort) => ({ effort }),
  permissionMode: (permissionMode) => ({
    permissionMode,
    ...(permissionMode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}),
  }),
  // Passed together with the granted rules and those of the project.
  allowedTools: ours,
  disallowedTools: (disallowedTools) => ({ disallowedTools }),
  tools: (tools) => ({ tools }),
  skills: (skills) => ({ skills: skills === 'all' ? skills : [...skills] }),
  // Without it, `@path` in a prompt reads files and `/command` runs repository commands without approval.
  slashCommands: (slashCommands) => ({ verbatimPrompts: !slashCommands }),
  thinking: (thinking) => ({ thinking: thinking as NonNullable<Options['thinking']> }),
  fallbackModel: (fallbackModel) => ({ fallbackModel }),
  betas: (betas) => ({ betas: [...betas] }),
  planModeInstructions: (planModeInstructions) => ({ planModeInstructions }),
  outputFormat: (outputFormat) => ({ outputFormat }),
  includePartialMessages: (includePartialMessages) => ({ includePartialMessages }),
  forwardSubagentText: (forwardSubagentText) => ({ forwardSubagentText }),
  agents: (agents) => ({ agents: agents as NonNullable<Options['agents']> }),
  agent: (agent) => ({ agent }),
  // Passed in a file, because the SDK would put them into an argument.
  mcpServers: ours,
  strictMcpConfig: (strictMcpConfig) => ({ strictMcpConfig }),
  // Merged with the environment of the server when the process starts.
  env: ours,
  sandbox: (sandbox) => ({ sandbox }),
  pathToClaudeCodeExecutable: (pathToClaudeCodeExecutable) => ({ pathToClaudeCodeExecutable }),
  debug: (debug) => ({ debug }),
  debugFile: (debugFile) => ({ debugFile }),
  enableFileCheckpointing: (enableFileCheckpointing) => ({ enableFileCheckpointing }),
  maxTurns: (maxTurns) => ({ maxTurns }),
  maxBudgetUsd: ours,
  permissionRequestTimeoutMs: ours,
  timeoutMs: ours,
  sessionInitTimeoutMs: ours,
  persistSession: (persistSession) => ({ persistSession }),
  projectSettings: ours,
  skippedFiles: ours,
  // Part of the settings, and of the allowed rules.
  permissionRules: ours,
  withheldServers: ours,
  startableServers: ours,
  withheldPlugins: ours,
  // Part of the environment.
  untrustedFolders: ours,
  notes: ours,
};

export function toSdkOptions(launch: Launch): Options {
  const { options, budgetLeftUsd, claudeSessionId, from } = launch;
  const allowedTools = allowedRules(launch);
  const mapped = Object.keys(mapOption).map((key) => mapOne(key as OptionKey, options));
  return Object.assign(
    {
      systemPrompt: systemPromptOf(options),
      verbatimPrompts: true,
      settings: launchSettings(launch),
      ...(budgetLeftUsd === undefined ? {} : { maxBudgetUsd: budgetLeftUsd }),
      ...conversation(claudeSessionId, from),
    } satisfies Options,
    ...mapped,
    ...(allowedTools.length === 0 ? [] : [{ allowedTools }]),
  );
}

function mapOne<K extends OptionKey>(key: K, options: EffectiveOptions): Partial<Options> {
  const value = options[key];
  return value === undefined || value === null ? {} : mapOption[key](value);
}

function conversation(claudeSessionId: string, from: Launch['from']): Partial<Options> {
  switch (from.type) {
    case 'start':
      return { sessionId: claudeSessionId };
    case 'resume':
      return { resume: claudeSessionId, ...truncation(from.at) };
    case 'fork':
      return {
        resume: from.claudeSessionId,
        forkSession: true,
        sessionId: claudeSessionId,
        ...truncation(from.at),
      };
  }
}

function truncation(at: string | undefined): Partial<Options> {
  return at === undefined ? {} : { resumeSessionAt: at };
}

function systemPromptOf(options: EffectiveOptions): NonNullable<Options['systemPrompt']> {
  const { systemPrompt, notes } = options;
  const record = usesPromptRecord(options) ? {} : { snapshot: false };
  if (typeof systemPrompt === 'string') return { type: 'custom', prompt: systemPrompt, ...record };
  const append = [systemPrompt?.append ?? '', ...notes].filter((part) => part !== '').join('\n\n');
  // Without a preset, the SDK uses an almost empty system prompt instead of Claude Code's.
  return { type: 'preset', preset: 'claude_code', ...(append === '' ? {} : { append }), ...record };
}
