import { parseArgs } from 'node:util';
import { sentence } from '../core/errors.js';
import { ConfigError, reasonOf } from './config-error.js';
import { guessLimit, nearest } from '../core/text/nearest.js';
import { onOff } from './setting.js';
import {
  commandFlagNames,
  commandFlags,
  commandNames,
  commands,
  type Command,
  type CommandFlag,
  type CommandName,
  type Flag,
} from './commands.js';
import { settingRows } from './settings.js';

export interface Arguments {
  /** Undefined for the server itself. */
  readonly command: CommandName | undefined;
  /** Values of settings, by flag. */
  readonly flags: Readonly<Record<string, string>>;
  readonly configFile: string | undefined;
  readonly json: boolean;
  /** The flags of the command that are not settings. */
  readonly own: Readonly<Partial<Record<CommandFlag, string>>>;
  /** The argument that follows the command. */
  readonly operand: string | undefined;
  /** `settings` lists every setting, `all` also every command. */
  readonly help: 'short' | 'settings' | 'all' | undefined;
  readonly version: boolean;
}

const options = {
  ...Object.fromEntries(
    [...settingRows.map(({ flag }) => flag), ...commandFlagNames].map((flag) => [
      flag,
      { type: 'string' as const },
    ]),
  ),
  config: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  'help-all': { type: 'boolean' },
  version: { type: 'boolean', short: 'v' },
} as const;

const seeCommands = 'Run claude-code-mcp --help to list the commands.';
const seeHelp = 'Run claude-code-mcp --help-all to list the flags.';

/** Throws a ConfigError for an unknown flag or command. */
export function parseArguments(args: readonly string[]): Arguments {
  const complete = withSwitchValues(args);
  const { values, positionals } = parseStrictly(complete);
  refuseContradictions(complete);
  const {
    config: configFile,
    json = false,
    help: isHelp = false,
    'help-all': isHelpAll = false,
    version = false,
    ...texts
  } = values;
  const { help, words } = helpIn(positionals, isHelpAll ? 'all' : isHelp ? 'short' : undefined);
  const { command, operand } = commandOf(words, help);
  const own = only(texts, (flag) => Object.hasOwn(commandFlags, flag));
  const flags = only(texts, (flag) => !Object.hasOwn(commandFlags, flag));
  if (json && command === undefined)
    throw new ConfigError(`--json needs a command: claude-code-mcp ${commands.config.usage}. ${seeHelp}`);
  const misplaced = commandFlagNames.find((flag) => flag in own && !belongsTo(flag, command));
  if (misplaced !== undefined)
    throw new ConfigError(
      `--${misplaced} is a flag of another command: claude-code-mcp ${commandFlags[misplaced].of.join(' or ')}. ${command === undefined ? seeHelp : `Run claude-code-mcp help ${command} to list the flags of ${command}.`}`,
    );
  if (configFile === '') throw new ConfigError(`--config needs the path of a file. ${seeHelp}`);
  return { command, operand, flags, own, configFile, json, help, version };
}

/** `help config` is `config --help`, and `help settings` is about no command. */
function helpIn(
  words: readonly string[],
  help: Arguments['help'],
): { readonly help: Arguments['help']; readonly words: readonly string[] } {
  const [first, ...rest] = words;
  if (first !== 'help') return { help, words };
  return rest.join(' ') === 'settings' ? { help: 'settings', words: [] } : { help: 'short', words: rest };
}

function belongsTo(flag: CommandFlag, command: CommandName | undefined): boolean {
  const { of }: Flag = commandFlags[flag];
  return of.some((one) => one === command);
}

function only(
  texts: Readonly<Record<string, string | undefined>>,
  isWanted: (flag: string) => boolean,
): Readonly<Record<string, string>> {
  const given = Object.entries(texts).filter(([flag]) => isWanted(flag));
  return Object.fromEntries(given.flatMap(([flag, text]) => (text === undefined ? [] : [[flag, text]])));
}

const switches = flagSet(settingRows.filter(({ kind }) => kind === onOff).map(({ flag }) => flag));
const ownSwitches = flagSet(commandFlagNames.filter((flag) => commandFlags[flag].shape === undefined));

function flagSet(flags: readonly string[]): ReadonlySet<string> {
  return new Set(flags.map((flag) => `--${flag}`));
}

/**
 * A switch without a value is on: `--behind-proxy` means `--behind-proxy 1`. Those of a command take no value, so that an
 * operand can follow them.
 */
function withSwitchValues(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1];
    const isBare = next === undefined || next.startsWith('-');
    return ownSwitches.has(arg) || (switches.has(arg) && isBare) ? [arg, '1'] : [arg];
  });
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(flagProblem(args) ?? `${sentence(reasonOf(error))} ${seeHelp}`);
  }
}

/** The last one would win, which can allow more than the operator believes. */
function refuseContradictions(args: readonly string[]): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<string, string | undefined>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    if (given.has(name) && given.get(name) !== value)
      throw new ConfigError(`--${name} is given twice, with different values. Pass it once. ${seeHelp}`);
    given.set(name, value);
  }
}

/** Replaces Node's message, which explains how to pass a value with a dash. That is rarely the mistake. */
function flagProblem(args: readonly string[]): string | undefined {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!isFlag(name)) return `${rawName} is not a flag${hintFor(name)} ${seeHelp}`;
    const isBare = value === undefined || (value.startsWith('-') && !token.inlineValue);
    if (options[name].type === 'string' && isBare) return `${rawName} needs a value. ${seeHelp}`;
  }
  return undefined;
}

function isFlag(name: string): name is keyof typeof options {
  return Object.hasOwn(options, name);
}

const transports: ReadonlySet<string> = new Set(['http', 'https', 'sse', 'stdio', 'transport']);

function hintFor(name: string): string {
  if (transports.has(name))
    return ': without a command the server uses stdin and stdout, and "claude-code-mcp serve" uses HTTP.';
  const meant = nearest(name, Object.keys(options), guessLimit(name));
  return meant === undefined ? '.' : `: did you mean --${meant}?`;
}

/** Commands by their full name and by their first word, which stands for the first command that begins with it. */
const commandsByWords = new Map(
  commandNames
    .toReversed()
    .flatMap((name) => [[name.split(' ')[0] ?? name, name] as const, [name, name] as const]),
);

/** `serve stop` is not `serve`. */
const longestFirst = commandNames.toSorted((one, other) => other.split(' ').length - one.split(' ').length);

function commandOf(
  words: readonly string[],
  help: Arguments['help'],
): Pick<Arguments, 'command' | 'operand'> {
  if (words.length === 0) return { command: undefined, operand: undefined };
  const typed = words.join(' ');
  const command =
    longestFirst.find((name) => name.split(' ').every((part, index) => words[index] === part)) ??
    (help === undefined ? undefined : commandsByWords.get(typed));
  if (command === undefined) {
    const family = commandNames.filter((name) => name.startsWith(`${typed} `));
    if (family.length > 0)
      throw new ConfigError(`${typed} needs another word: ${family.join(', ')}. ${seeCommands}`);
    const meant = commandsByWords.get(nearest(typed, commandsByWords.keys(), guessLimit(typed)) ?? '');
    throw new ConfigError(
      `${typed} is not a command${meant === undefined ? '.' : `: did you mean ${meant}?`} ${seeCommands}${help === undefined ? ' To start the server, pass no command.' : ''}`,
    );
  }
  return { command, operand: operandOf(command, words.slice(command.split(' ').length), help) };
}

function operandOf(
  command: CommandName,
  words: readonly string[],
  help: Arguments['help'],
): string | undefined {
  const { usage, operand: wanted, isOperandOptional, isOperandRepeated }: Command = commands[command];
  const limit = wanted === undefined ? 0 : isOperandRepeated === true ? words.length : 1;
  const extra = words[limit];
  if (extra !== undefined)
    throw new ConfigError(
      `${extra} is not an argument of ${command}. Usage: claude-code-mcp ${usage}. ${seeHelp}`,
    );
  if (words.length > 0) return words.join(' ');
  if (wanted !== undefined && isOperandOptional !== true && help === undefined)
    throw new ConfigError(`${command} needs ${wanted}. Usage: claude-code-mcp ${usage}`);
  return undefined;
}
