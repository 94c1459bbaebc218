import { commandFlags, commands, type CommandName, type Flag } from './commands.js';
import { settingGroups, settingRows, type SettingRow } from './settings.js';

/** The output of `--help`. */
export function shortHelp(version: string): string {
  return `${introduction(version, briefCommands())}
Common flags:
${firstFlags.map(flagLines).join('\n')}

--help-all lists all ${settingRows.length} settings. "claude-code-mcp config" shows the value of each.
`;
}

/** The output of `config --help`. */
export function commandHelp(command: CommandName): string {
  const { usage, doc, example } = commands[command];
  return `Usage: claude-code-mcp ${usage}

${doc}
${ownFlags(command)}
Example:
  claude-code-mcp ${example}

It takes the flags of the server: claude-code-mcp --help-all lists them.
`;
}

function ownFlags(command: CommandName): string {
  const rows = Object.entries<Flag>(commandFlags).filter(([, { of }]) => of.includes(command));
  return rows.map(([flag, { shape, doc }]) => `\n  ${flagText(flag, shape)}\n      ${doc}\n`).join('');
}

/** The output of `--help-all`. */
export function fullHelp(version: string): string {
  const groups = settingGroups.map(({ title, rows }) => `${title}:\n${rows.map(flagLines).join('\n')}`);
  return `${introduction(version, wholeCommands())}
Each setting has a flag, an environment variable (in brackets below) and a key in the config file: the flag in
camelCase. A flag overrides a variable, and a variable overrides the file. See docs/configuration.md for details.

General:
  --config <file>
      JSON config file, such as { "maxSessions": 4, "roots": ["/path/to/projects"], "checkResponds": false }
${Object.entries(commandFlags).map(commandFlagLines).join('\n')}
  --help, --help-all, --version

${groups.join('\n\n')}
`;
}

const firstKeys: ReadonlySet<string> = new Set(['defaultCwd', 'roots', 'approvals', 'toolsets', 'logLevel']);
const firstFlags = settingRows.filter(({ key }) => firstKeys.has(key));

/** One line per command: "claude-code-mcp <command> --help" shows the rest. */
function briefCommands(): string[] {
  const rows = Object.entries(commands);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, { doc }]) => `  ${name.padEnd(width)}  ${firstSentence(doc)}`);
}

function wholeCommands(): string[] {
  return Object.values(commands).map(({ usage, doc }) => `  ${usage}\n      ${doc}`);
}

function introduction(version: string, commandLines: readonly string[]): string {
  return `claude-code-mcp ${version}
Lets any MCP client start, watch, steer and resume Claude Code sessions, and approve what they do.

Usage: claude-code-mcp [flags]             serve MCP over stdin and stdout
       claude-code-mcp <command> [flags]

Commands:
${commandLines.join('\n')}

Examples:
  claude mcp add --scope user claude-code -- node /path/to/claude-code-mcp/dist/claude-code-mcp.js
  claude-code-mcp --max-sessions 4 --default-cwd /path/to/project
`;
}

function commandFlagLines([flag, { of, shape, doc }]: [string, Flag]): string {
  return `  ${flagText(flag, shape)}\n      For ${of.join(' and ')}: ${doc}`;
}

function flagText(flag: string, shape: string | undefined): string {
  return shape === undefined ? `--${flag}` : `--${flag} <${shape}>`;
}

function flagLines(row: SettingRow): string {
  const { flag, kind, env } = row;
  return `  --${flag} <${kind.shape}>\n      ${summary(row)} [${env.join(', ')}]`;
}

/** The first sentence and the default. The shape already lists the choices. */
function summary({ doc, fallback }: SettingRow): string {
  const first = firstSentence(doc);
  const [inWords] = /Default: .*$/.exec(doc) ?? [];
  const byDefault = inWords ?? defaultOf(fallback);
  return byDefault === undefined ? first : `${first} ${byDefault}`;
}

function firstSentence(doc: string): string {
  const [first = doc] = /^.*?\.(?= |$)/.exec(doc) ?? [];
  return first;
}

function defaultOf(fallback: SettingRow['fallback']): string | undefined {
  const value = typeof fallback === 'boolean' ? Number(fallback) : fallback;
  const text = typeof value === 'object' ? value.join(',') : String(value ?? '');
  return text === '' ? undefined : `Default: ${text}.`;
}
