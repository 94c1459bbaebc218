import { sentence } from '../../core/errors.js';
import type { Finding } from './check.js';

export interface SettingsFacts {
  /** Why the settings cannot be used. */
  readonly problem: string | undefined;
  readonly warnings: readonly string[];
  /** Where values come from that are not defaults: variables, flags, or the config file. */
  readonly sources: readonly string[];
}

/** The settings of this server. */
export function checkSettings({ problem, warnings, sources }: SettingsFacts): readonly Finding[] {
  const id = 'settings';
  if (problem !== undefined)
    return [
      {
        id,
        status: 'fail',
        message: `A setting of this server is invalid: ${sentence(problem)}`,
        fix: 'Correct this value. Until then the server does not start.',
      },
    ];
  const from = sources.length === 0 ? 'all defaults' : `set by ${sources.join(', ')}`;
  return [
    { id, status: 'ok', message: `Settings of this server: ${from}.` },
    ...warnings.map((message): Finding => ({
      id,
      status: 'warn',
      message,
      fix: 'Correct or remove it. To see all values, run: claude-code-mcp config',
    })),
  ];
}

export interface SettingsFile {
  readonly path: string;
  /** Whether sessions in this folder load it. */
  readonly isLoaded: boolean;
  /** Undefined if it is fine. */
  readonly problem: string | undefined;
}

/** The settings of Claude Code that apply to this folder. */
export function checkClaudeSettings(files: readonly SettingsFile[]): readonly Finding[] {
  const id = 'claude-settings';
  const broken = files.filter(({ problem, isLoaded }) => problem !== undefined && isLoaded);
  if (broken.length > 0)
    return broken.map(({ path, problem }) => ({
      id,
      status: 'fail',
      message: `${path} is broken: ${sentence(problem ?? '')}`,
      fix: 'Correct the file. Until then Claude Code ignores it, or that part of it.',
    }));
  const loaded = files.filter(({ isLoaded }) => isLoaded).map(({ path }) => path);
  const message =
    loaded.length === 0
      ? 'Claude Code has no settings files.'
      : `Settings of Claude Code: ${loaded.join(', ')}.`;
  return [{ id, status: 'ok', message }];
}
