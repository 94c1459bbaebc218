export interface Command {
  readonly usage: string;
  readonly example: string;
  readonly doc: string;
  /** The argument that must follow the command. */
  readonly operand?: string;
  readonly isOperandOptional?: boolean;
  /** It takes several, which arrive as one text with spaces between them. */
  readonly isOperandRepeated?: boolean;
  /** The program that contains it. Undefined: the server itself. */
  readonly program?: 'service' | 'console';
  /** Claude must not be able to run it, because it gives or takes away power over sessions. Sessions are refused. */
  readonly isForPeople?: true;
}

/** Subcommands: the first words after `claude-code-mcp`. */
export const commands = {
  config: {
    usage: 'config [--service] [--json]',
    example: 'config --config /path/to/config.json',
    doc: 'Print every setting with its value and source, without starting the server.',
  },
  doctor: {
    usage: 'doctor [--quick] [--json]',
    example: 'doctor',
    doc: 'Check this installation from Claude Code to your clients, and say what to do about each problem. Exit code 0: no check failed, 1: at least one did.',
    program: 'console',
  },
  login: {
    usage: 'login [--console]',
    example: 'login',
    doc: 'Sign in to the Claude Code that this server starts, with your Claude subscription.',
    program: 'console',
    isForPeople: true,
  },
  logout: {
    usage: 'logout',
    example: 'logout',
    doc: 'Sign out of the Claude Code that this server starts.',
    program: 'console',
    isForPeople: true,
  },
  sessions: {
    usage: 'sessions [<text>] [--limit <number>] [--ids] [--json]',
    example: 'sessions login --limit 50',
    doc: 'List sessions, the newest first: those of this server, and those that you started with Claude Code. With a text, only those whose title, first prompt or folder contains it.',
    operand: 'a text to search for',
    isOperandOptional: true,
    program: 'console',
  },
  show: {
    usage: 'show <id> [--json]',
    example: 'show 1b9d6bcd',
    doc: 'Show a session: its result and cost, its open requests and last events, and how to continue. The first characters of the id are enough.',
    operand: 'the id of a session',
    program: 'console',
  },
  watch: {
    usage: 'watch <id>',
    example: 'watch 1b9d6bcd',
    doc: 'Follow a running session until its turn ends, or until Ctrl-C, which does not stop the session. Exit code 0: the turn succeeded, 1: it failed.',
    operand: 'the id of a session',
    program: 'console',
  },
  resume: {
    usage: 'resume <id>',
    example: 'resume 1b9d6bcd',
    doc: 'Continue a session yourself: starts Claude Code in its folder with the same conversation.',
    operand: 'the id of a session',
    program: 'console',
    isForPeople: true,
  },
  trust: {
    usage: 'trust [<folder>] [--yes] [--json]',
    example: 'trust ~/code/app',
    doc: 'Trust a folder, as Claude Code does when you accept its question: sessions load its CLAUDE.md, settings, hooks and MCP servers. Shows them first, and asks. Without a folder, lists the trusted ones.',
    operand: 'a folder',
    isOperandOptional: true,
    program: 'console',
    isForPeople: true,
  },
  untrust: {
    usage: 'untrust <folder>',
    example: 'untrust ~/code/app',
    doc: 'No longer trust a folder. Sessions that run keep what they have loaded.',
    operand: 'a folder',
    program: 'console',
    isForPeople: true,
  },
  completion: {
    usage: 'completion <bash|zsh|fish>',
    example: 'completion bash',
    doc: 'Print a script that completes commands, flags and session ids in your shell. Its first lines say how to load it.',
    operand: 'a shell: bash, zsh or fish',
    program: 'console',
  },
  install: {
    usage: 'install [<client>…] [--yes] [--print]',
    example: 'install cursor codex',
    doc: 'Add this server to MCP clients: claude-code, claude-desktop, cursor, vscode, windsurf, codex, gemini, opencode, zed, cline. Shows each change, asks, and keeps a backup. Without a client, you choose among those on this machine. Flags of the server, such as --approvals human, become part of the entry. Exit code 1: at least one client could not be changed.',
    operand: 'the name of a client',
    isOperandOptional: true,
    isOperandRepeated: true,
    program: 'console',
    isForPeople: true,
  },
  uninstall: {
    usage: 'uninstall [<client>…] [--yes]',
    example: 'uninstall cursor',
    doc: 'Remove this server from MCP clients. Shows each change, asks, and keeps a backup.',
    operand: 'the name of a client',
    isOperandOptional: true,
    isOperandRepeated: true,
    program: 'console',
    isForPeople: true,
  },
  'audit verify': {
    usage: 'audit verify --audit-log <path> [--head <seq:mac>] [--json]',
    example: 'audit verify --audit-log /path/to/audit.jsonl',
    doc: 'Check all files of the audit log and report the first line that was changed. Exit code 0: intact, 1: changed, 2: could not be checked.',
  },
  serve: {
    usage: 'serve [--host <address>] [--port <number>] [--idle-exit <minutes>] [--json]',
    example: 'serve --port 8137',
    doc: 'Serve MCP over HTTP to several clients. See docs/service.md.',
    program: 'service',
  },
  'serve status': {
    usage: 'serve status [--json]',
    example: 'serve status',
    doc: 'Show the address and the process of the service that runs in this state folder. Exit code 0: it answers, 1: it does not, or none runs.',
    program: 'service',
    isForPeople: true,
  },
  'serve stop': {
    usage: 'serve stop [--json]',
    example: 'serve stop',
    doc: 'Stop the service that runs in this state folder. Running sessions end with it.',
    program: 'service',
    isForPeople: true,
  },
  'token create': {
    usage: 'token create <name> [--principal <name>] [--scope <a,b>] [--expires-days <number>] [--json]',
    example: 'token create laptop --scope call,approve --expires-days 90',
    doc: 'Create a token for the service and print it once.',
    operand: 'a name for the token',
    program: 'service',
    isForPeople: true,
  },
  'token list': {
    usage: 'token list [--json]',
    example: 'token list',
    doc: 'List the tokens of the service with their scopes, expiry and last use.',
    program: 'service',
    isForPeople: true,
  },
  'token revoke': {
    usage: 'token revoke <name>',
    example: 'token revoke laptop',
    doc: 'Revoke a token. A running service refuses it at once.',
    operand: 'the name of the token',
    program: 'service',
    isForPeople: true,
  },
  open: {
    usage: 'open [--print] [--principal <name>] [--json]',
    example: 'open --print',
    doc: 'Open the page, where you watch sessions and answer their requests, and sign your browser in. The link works once, within two minutes. With --json, prints the link and its expiry instead. See docs/page.md.',
    program: 'service',
    isForPeople: true,
  },
  'device list': {
    usage: 'device list [--json]',
    example: 'device list',
    doc: 'List the browsers that are signed in to the page.',
    program: 'service',
    isForPeople: true,
  },
  'device revoke': {
    usage: 'device revoke <name>',
    example: 'device revoke "Chrome on Linux"',
    doc: 'Sign a browser out of the page. A running server refuses it at once.',
    operand: 'the name of the device',
    program: 'service',
    isForPeople: true,
  },
  'device password': {
    usage: 'device password [--remove]',
    example: 'device password',
    doc: 'Set a password to sign in to the page without a link, for example on a phone. Reads it from the terminal or from stdin.',
    program: 'service',
    isForPeople: true,
  },
  connect: {
    usage: 'connect [<url>] [--token-file <path>]',
    example: 'connect https://agents.example.com/mcp --token-file ~/.config/agents-token',
    doc: 'Connect a client that speaks MCP over stdin and stdout to a service, so that sessions outlive the client. Takes the token from CLAUDE_CODE_MCP_TOKEN or a file. Without an address, it uses your own service on this machine, and starts one if there is none.',
    operand: 'the address of a service',
    isOperandOptional: true,
    program: 'service',
    isForPeople: true,
  },
} as const satisfies Readonly<Record<string, Command>>;

export interface Flag {
  readonly of: readonly (keyof typeof commands)[];
  /** The form of its value. Undefined: it takes none. */
  readonly shape: string | undefined;
  /** By command, if it means something else for each. */
  readonly doc: string | Readonly<Partial<Record<keyof typeof commands, string>>>;
}

/** Flags that belong to one command. All others are settings. */
export const commandFlags = {
  service: {
    of: ['config'],
    shape: undefined,
    doc: 'Show the settings of "claude-code-mcp serve", which has stricter defaults.',
  },
  quick: { of: ['doctor'], shape: undefined, doc: 'Leave out the self-test.' },
  console: {
    of: ['login'],
    shape: undefined,
    doc: 'Sign in with an account of the Anthropic Console, which is billed by usage.',
  },
  head: {
    of: ['audit verify'],
    shape: 'seq:mac',
    doc: 'A head from the server log. The audit log must contain it.',
  },
  limit: { of: ['sessions'], shape: 'number', doc: 'The most sessions to list. Default: 20.' },
  ids: { of: ['sessions'], shape: undefined, doc: 'Print only the ids, one per line.' },
  principal: {
    of: ['token create', 'open'],
    shape: 'name',
    doc: 'Principal whose sessions the token or browser can use. Default: owner.',
  },
  print: {
    of: ['open', 'install'],
    shape: undefined,
    doc: {
      open: 'Print the link, and open nothing.',
      install: 'Print the configuration, and change nothing.',
    },
  },
  yes: {
    of: ['trust', 'install', 'uninstall'],
    shape: undefined,
    doc: {
      trust: 'Do not ask.',
      install: 'Do not ask. Without a client, add the server to all clients on this machine.',
      uninstall: 'Do not ask. Without a client, remove the server from all clients on this machine.',
    },
  },
  remove: {
    of: ['device password'],
    shape: undefined,
    doc: 'Remove the password. Browsers stay signed in.',
  },
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
    doc: 'File with the token of the service. Other users must not be able to read it. Default: CLAUDE_CODE_MCP_TOKEN.',
  },
  'idle-exit': {
    of: ['serve'],
    shape: 'minutes',
    doc: 'Exit after this time without a client and without a running session. Default: never.',
  },
} as const satisfies Readonly<Record<string, Flag>>;

export function docOf({ doc }: Flag, command: CommandName): string {
  return typeof doc === 'string' ? doc : (doc[command] ?? '');
}

export type CommandFlag = keyof typeof commandFlags;

export const commandFlagNames = Object.keys(commandFlags) as CommandFlag[];

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as CommandName[];

/** The commands of one program. */
export type CommandOf<P extends 'service' | 'console'> = {
  [N in CommandName]: (typeof commands)[N] extends { readonly program: P } ? N : never;
}[CommandName];

export type LocalCommand = Exclude<CommandName, CommandOf<'service' | 'console'>>;

export function isOf<P extends 'service' | 'console'>(
  program: P,
  command: CommandName | undefined,
): command is CommandOf<P> {
  return command !== undefined && (commands[command] as Command).program === program;
}
