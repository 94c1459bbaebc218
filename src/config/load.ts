import { mask } from '../core/observability/mask.js';
import { ConfigError, reasonOf } from './config-error.js';
import type { ConfigFile } from './config-file.js';
import { nearMisses } from './near-misses.js';
import type { Setting } from './setting.js';
import { settingRows, type SettingKey, type Settings } from './settings.js';
import type { Source } from './source.js';

export interface Loaded {
  readonly settings: Settings;
  /** Where each value came from. */
  readonly sources: Readonly<Record<SettingKey, Source>>;
  /** For the operator: what was ignored, and why. */
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Inputs {
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Environment;
  readonly file: ConfigFile | undefined;
}

interface Found {
  readonly value: unknown;
  readonly source: Source;
}

/** Defaults < file < environment < flags. */
export function loadSettings(
  flags: Readonly<Record<string, string>>,
  environment: Environment,
  file?: ConfigFile,
): Loaded {
  const warnings = [...(file?.warnings ?? []), ...nearMisses(Object.keys(environment))];
  const warn = (warning: string): void => void warnings.push(warning);
  const found = settingRows.map(
    ([key, setting]) => [key, find(key, setting, { flags, environment, file }, warn)] as const,
  );
  return {
    settings: frozen(found.map(([key, { value }]) => [key, value])) as Settings,
    sources: frozen(found.map(([key, { source }]) => [key, source])) as Loaded['sources'],
    warnings,
  };
}

function find(
  key: SettingKey,
  setting: Setting<unknown>,
  { flags, environment, file }: Inputs,
  warn: (warning: string) => void,
): Found {
  const flagText = flags[setting.flag];
  if (flagText !== undefined) {
    const name = `--${setting.flag}`;
    return { value: parse(name, flagText, setting), source: { kind: 'flag', name } };
  }
  const inEnvironment = findInEnvironment(setting, environment, warn);
  if (inEnvironment !== undefined) return inEnvironment;
  if (file?.values.has(key) === true)
    return { value: file.values.get(key), source: { kind: 'file', name: file.path } };
  return { value: setting.fallback, source: { kind: 'default' } };
}

function findInEnvironment(
  setting: Setting<unknown>,
  environment: Environment,
  warn: (warning: string) => void,
): Found | undefined {
  const [own, ...bare] = setting.env;
  const ownText = environment[own];
  if (isGiven(ownText))
    return { value: parse(own, ownText, setting), source: { kind: 'environment', name: own } };
  for (const name of bare) {
    const text = environment[name];
    if (!isGiven(text)) continue;
    try {
      return { value: setting.parse(text), source: { kind: 'environment', name } };
    } catch (error) {
      // A bare name may belong to another program: it must not stop ours.
      warn(`${name}=${shown(text, setting)} is ignored: it ${reasonOf(error)}`);
    }
  }
  return undefined;
}

/** Some clients pass a variable they have no value for as an empty one. */
function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function parse(name: string, text: string, setting: Setting<unknown>): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    throw new ConfigError(`${name}=${shown(text, setting)}: ${reasonOf(error)}`);
  }
}

function shown(text: string, { isSecret }: Setting<unknown>): string {
  return isSecret === true ? mask : text;
}

function frozen(entries: readonly (readonly [string, unknown])[]): object {
  return Object.freeze(Object.fromEntries(entries));
}
