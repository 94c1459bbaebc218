import { mask } from '../core/observability/mask.js';
import { ConfigError, reasonOf } from './config-error.js';
import type { ConfigFile } from './config-file.js';
import type { Principals } from './principals.js';
import { parseText } from './setting.js';
import { settingRows, type SettingKey, type SettingRow, type Settings } from './settings.js';
import { variableWarnings } from './variable-warnings.js';

/** The origin of a value. The name is that of the file, variable or flag. */
export type Source =
  { readonly kind: 'default' } | { readonly kind: 'file' | 'environment' | 'flag'; readonly name: string };

export interface Loaded {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingKey, Source>>;
  /** Only a config file can name principals. */
  readonly principals?: Principals | undefined;
  /** Tells the operator which values were ignored, and why. */
  readonly warnings: readonly string[];
}

interface Inputs {
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file: ConfigFile | undefined;
  /** Replace the defaults of the table. */
  readonly fallbacks: Partial<Settings>;
}

interface Found {
  readonly value: unknown;
  readonly source: Source;
}

/** Defaults < file < environment < flags. */
export function loadSettings(
  flags: Inputs['flags'],
  environment: Inputs['environment'],
  file?: ConfigFile,
  fallbacks: Partial<Settings> = {},
): Loaded {
  const warnings = [...(file?.warnings ?? []), ...variableWarnings(environment)];
  const found = settingRows.map(
    (row) => [row.key, find(row, { flags, environment, file, fallbacks }, warnings)] as const,
  );
  return {
    settings: frozen(found.map(([key, { value }]) => [key, value])) as Settings,
    sources: frozen(found.map(([key, { source }]) => [key, source])) as Loaded['sources'],
    principals: file?.principals,
    warnings,
  };
}

function find(row: SettingRow, { flags, environment, file, fallbacks }: Inputs, warnings: string[]): Found {
  const { key, kind, flag, env, fallback, isSecret } = row;
  const given = [
    { from: 'flag' as const, name: `--${flag}`, text: flags[flag] },
    // Some clients pass an empty variable for a setting without a value.
    ...env.map((name) => ({ from: 'environment' as const, name, text: environment[name] || undefined })),
  ];
  for (const { from, name, text } of given) {
    if (text === undefined) continue;
    try {
      return { value: parseText(kind, text), source: { kind: from, name } };
    } catch (error) {
      const shown = `${name}=${isSecret === true ? mask : text}`;
      const isBareName = env.indexOf(name) > 0;
      if (!isBareName) throw new ConfigError(`${shown}: ${reasonOf(error)}`);
      // A variable without our prefix may belong to another program, so its value must not stop the server.
      warnings.push(`${shown} is ignored: it ${reasonOf(error)}`);
    }
  }
  if (file?.values.has(key) === true)
    return { value: file.values.get(key), source: { kind: 'file', name: file.path } };
  return { value: fallbacks[key] ?? fallback, source: { kind: 'default' } };
}

function frozen(entries: readonly (readonly [string, unknown])[]): object {
  return Object.freeze(Object.fromEntries(entries));
}

/** For people: `environment CLAUDE_CODE_MCP_MAX_SESSIONS`. */
export function describeSource(source: Source): string {
  return source.kind === 'default' ? source.kind : `${source.kind} ${source.name}`;
}

/** The place where the operator can change the value. Errors about it begin with this. */
export function placeOf(key: string, source: Source): string {
  if (source.kind === 'default') return key;
  return source.kind === 'file' ? `${source.name}: ${key}` : source.name;
}
