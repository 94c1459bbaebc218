import { parseArgs } from 'node:util';
import { sentence } from '../core/errors.js';
import { ConfigError, reasonOf } from './config-error.js';
import { guessLimit, nearest } from '../core/text/nearest.js';
import { onOff } from './setting.js';
import { settingRows } from './settings.js';

interface Command {
  readonly usage: string;
  readonly example: string;
  readonly doc: string;
  /** The argument that must follow the command. */
  readonly operand?: string;
  readonly isOperandOptional?: boolean;
}

/** Subcommands: the first words after `claude-code-mcp`. */
export const commands = {
  config: {
    usage: 'config [--json]',
    example: 'config --config /path/to/config.json',
    doc: 'Print every setting with its value and source, without starting the server.',
  },
  'audit verify': {
    usage: 'audit verify --audit-log <path> [--head <seq:mac>] [--json]',
    example: 'audit verify --audit-log /path/to/audit.jsonl',
    doc: 'Check all files of the audit log and report the first line that was changed. Exit code 0: intact, 1: changed, 2: could not be checked.',
  },
  serve: {
    usage: 'serve [--host <address>] [--port <number>] [--json]',
    example: 'serve --port 8137',
    doc: 'Serve MCP over HTTP to several clients. See docs/service.md.',
  },
  'token create': {
    usage: 'token create <name> [--principal <name>] [--scope <a,b>] [--expires-days <number>] [--json]',
    example: 'token create laptop --scope call,approve --expires-days 90',
    doc: 'Create a token for the service and print it once.',
    operand: 'a name for the token',
  },
  'token list': {
    usage: 'token list [--json]',
    example: 'token list',
    doc: 'List the tokens of the service with their scopes, expiry and last use.',
  },
  'token revoke': {
    usage: 'token revoke <name>',
    example: 'token revoke laptop',
    doc: 'Revoke a token. A running service refuses it at once.',
    operand: 'the name of the token',
  },
  open: {
    usage: 'open [--print] [--principal <name>]',
    example: 'open --print',
    doc: 'Open the page on which you watch sessions and answer their requests, and pair your browser with it. The link works once, for two minutes. See docs/page.md.',
  },
  'device list': {
    usage: 'device list [--json]',
    example: 'device list',
    doc: 'List the browsers that are paired with the page.',
  },
  'device revoke': {
    usage: 'device revoke <name>',
    example: 'device revoke "Chrome on Linux"',
    doc: 'Sign a browser out of the page. A running page ends its connections at once.',
    operand: 'the name of the device',
  },
  'device password': {
    usage: 'device password [--remove]',
    example: 'device password',
    doc: 'Set a password with which you can pair browsers without a link, such as on a phone. Reads it from the terminal or from stdin.',
  },
  connect: {
    usage: 'connect [<url>] [--token-file <path>]',
    example: 'connect https://agents.example.com/mcp --token-file ~/.config/agents-token',
    doc: 'Connect a client that speaks MCP over stdin and stdout to a service, so that sessions outlive the client. Takes the token from CLAUDE_CODE_MCP_TOKEN or a file. Without an address, it uses your own service on this machine, and starts one if there is none.',
    operand: 'the address of a service',
    isOperandOptional: true,
  },
} as const satisfies Readonly<Record<string, Command>>;

/** Flags that belong to one command. All others are settings. */
export const commandFlags = {
  head: {
    of: ['audit verify'],
    shape: 'seq:mac',
    doc: 'A head from the server log. The audit log must contain it.',
  },
  principal: {
    of: ['token create', 'open'],
    shape: 'name',
    doc: 'Principal whose sessions the token or browser can use. Default: owner.',
  },
  print: { of: ['open'], doc: 'Print the link instead of opening a browser.' },
  remove: { of: ['device password'], doc: 'Remove the password. Paired browsers stay signed in.' },
  scope: {
    of: ['token create'],
    shape: 'a,b',
    doc: 'Scopes of the token: call (use the tools), approve (answer requests), admin (read metrics, act for every principal). Default: call,approve.',
  },
  'expires-days': {
    of: ['token create'],
    shape: 'number',
    doc: 'Days until the token expires. Default: never.',
  },
  'token-file': {
    of: ['connect'],
    shape: 'path',
    doc: 'File with the token of the service. Only you may be able to read it. Default: CLAUDE_CODE_MCP_TOKEN.',
  },
  'idle-exit': {
    of: ['serve'],
    shape: 'minutes',
    doc: 'Exit after this time without a client and without a running session. Default: never.',
  },
} as const satisfies Readonly<Record<string, CommandFlagRow>>;

/** A flag without a shape is a switch. */
export interface CommandFlagRow {
  readonly of: readonly (keyof typeof commands)[];
  readonly shape?: string;
  readonly doc: string;
}

type CommandFlag = keyof typeof commandFlags;

const commandFlagNames = Object.keys(commandFlags) as CommandFlag[];

export type CommandName = keyof typeof commands;

/** The commands of the other program, which contains HTTP. */
const serviceCommands = [
  'serve',
  'token create',
  'token list',
  'token revoke',
  'open',
  'device list',
  'device revoke',
  'device password',
  'connect',
] as const satisfies readonly CommandName[];

export type ServiceCommand = (typeof serviceCommands)[number];

export type LocalCommand = Exclude<CommandName, ServiceCommand>;

export function isServiceCommand(command: CommandName | undefined): command is ServiceCommand {
  return serviceCommands.some((one) => one === command);
}

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
  /** `all` lists every flag. */
  readonly help: 'short' | 'all' | undefined;
  readonly version: boolean;
}

const options = {
  ...Object.fromEntries(settingRows.map(({ flag }) => [flag, { type: 'string' as const }])),
  config: { type: 'string' },
  json: { type: 'boolean' },
  head: { type: 'string' },
  principal: { type: 'string' },
  print: { type: 'boolean' },
  remove: { type: 'boolean' },
  scope: { type: 'string' },
  'expires-days': { type: 'string' },
  'token-file': { type: 'string' },
  'idle-exit': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  'help-all': { type: 'boolean' },
  version: { type: 'boolean', short: 'v' },
} as const;

const seeHelp = 'Run claude-code-mcp --help-all to list the flags.';

/** Throws a ConfigError for an unknown flag or command. */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseStrictly(withSwitchValues(args));
  const {
    config: configFile,
    json = false,
    head,
    principal,
    print,
    remove,
    scope,
    'expires-days': expiresDays,
    'token-file': tokenFile,
    'idle-exit': idleExit,
    help: isHelp = false,
    'help-all': isHelpAll = false,
    version = false,
    ...flags
  } = values;
  const help = isHelpAll ? 'all' : isHelp ? 'short' : undefined;
  const { command, operand } = commandOf(positionals, help);
  const own = defined({
    head,
    principal,
    print: isOn(print),
    remove: isOn(remove),
    scope,
    'expires-days': expiresDays,
    'token-file': tokenFile,
    'idle-exit': idleExit,
  });
  if (json && command === undefined)
    throw new ConfigError(`--json needs a command: claude-code-mcp ${commands.config.usage}. ${seeHelp}`);
  const misplaced = commandFlagNames.find((flag) => flag in own && !belongsTo(flag, command));
  if (misplaced !== undefined)
    throw new ConfigError(
      `--${misplaced} is a flag of another command: claude-code-mcp ${commandFlags[misplaced].of[0]}. ${seeHelp}`,
    );
  if (configFile === '') throw new ConfigError(`--config needs the path of a file. ${seeHelp}`);
  return { command, operand, flags, own, configFile, json, help, version };
}

function isOn(value: boolean | undefined): string | undefined {
  return value === true ? '1' : undefined;
}

function belongsTo(flag: CommandFlag, command: CommandName | undefined): boolean {
  const { of }: CommandFlagRow = commandFlags[flag];
  return of.some((one) => one === command);
}

function defined(given: Readonly<Record<CommandFlag, string | undefined>>): Arguments['own'] {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const switches: ReadonlySet<string> = new Set(
  settingRows.filter(({ kind }) => kind === onOff).map(({ flag }) => `--${flag}`),
);

/** A switch without a value is on: `--behind-proxy` means `--behind-proxy 1`. */
function withSwitchValues(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1];
    return switches.has(arg) && (next === undefined || next.startsWith('-')) ? [arg, '1'] : [arg];
  });
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(flagProblem(args) ?? `${sentence(reasonOf(error))} ${seeHelp}`);
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

const commandNames = Object.keys(commands) as CommandName[];

/** Commands by their full name and by their first word, which stands for the first command that begins with it. */
const commandsByWords = new Map(
  commandNames
    .toReversed()
    .flatMap((name) => [[name.split(' ')[0] ?? name, name] as const, [name, name] as const]),
);

function commandOf(
  words: readonly string[],
  help: Arguments['help'],
): Pick<Arguments, 'command' | 'operand'> {
  if (words.length === 0) return { command: undefined, operand: undefined };
  const typed = words.join(' ');
  const command =
    commandNames.find((name) => name.split(' ').every((part, index) => words[index] === part)) ??
    (help === undefined ? undefined : commandsByWords.get(typed));
  if (command === undefined) {
    const meant = commandsByWords.get(nearest(typed, commandsByWords.keys(), guessLimit(typed)) ?? '');
    throw new ConfigError(
      `${typed} is not a command${meant === undefined ? '.' : `: did you mean ${meant}?`} Commands: ${commandNames.join(', ')}. To start the server, pass no command. ${seeHelp}`,
    );
  }
  const { usage, operand: wanted, isOperandOptional = false }: Command = commands[command];
  const rest = words.slice(command.split(' ').length);
  const operand = wanted === undefined ? undefined : rest.shift();
  const [extra] = rest;
  if (extra !== undefined)
    throw new ConfigError(
      `${extra} is not an argument of ${command}. Usage: claude-code-mcp ${usage}. ${seeHelp}`,
    );
  if (wanted !== undefined && !isOperandOptional && operand === undefined && help === undefined)
    throw new ConfigError(`${command} needs ${wanted}: claude-code-mcp ${usage}`);
  return { command, operand };
}
