import { parseArgs } from 'node:util';
import type { Setting } from './setting.js';
import { settings, type Settings } from './settings.js';

export interface Loaded {
  readonly settings: Settings;
  /** For the operator: what was ignored, and why. */
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Stops the start; the message names the flag or variable and what it accepts. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Defaults < environment < flags. */
export function loadSettings(flags: Readonly<Record<string, string>>, environment: Environment): Loaded {
  const warnings: string[] = [];
  const table: [string, Setting<unknown>][] = Object.entries(settings);
  const values = table.map(([key, setting]) => {
    const flagText = flags[setting.flag];
    if (flagText !== undefined) return [key, parse(`--${setting.flag}`, flagText, setting.parse)];
    const [own, ...bare] = setting.env;
    const ownText = environment[own];
    if (isGiven(ownText)) return [key, parse(own, ownText, setting.parse)];
    for (const name of bare) {
      const text = environment[name];
      if (!isGiven(text)) continue;
      try {
        return [key, setting.parse(text)];
      } catch (error) {
        // A bare name may belong to another program: it must not stop ours.
        warnings.push(`${name}=${text} is ignored: it ${reasonOf(error)}`);
      }
    }
    return [key, setting.fallback];
  });
  return { settings: Object.freeze(Object.fromEntries(values)) as Settings, warnings };
}

/** Some clients pass a variable they have no value for as an empty one. */
function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function parse<T>(name: string, text: string, parseValue: (text: string) => T): T {
  try {
    return parseValue(text);
  } catch (error) {
    throw new ConfigError(`${name}=${text}: ${reasonOf(error)}`);
  }
}

/** Flags by name; an unknown one stops the start. */
export function parseFlags(args: readonly string[]): {
  flags: Record<string, string>;
  help: boolean;
  version: boolean;
} {
  const options = Object.fromEntries(
    Object.values(settings).map(({ flag }) => [flag, { type: 'string' as const }]),
  );
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...options,
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
      allowPositionals: false,
    });
    const { help = false, version = false, ...flags } = values;
    return { flags, help, version };
  } catch (error) {
    throw new ConfigError(`${reasonOf(error)} Run claude-code-mcp --help for the flags.`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
