import { commandFlags, commandNames, commands, docOf, type CommandName, type Flag } from './commands.js';
import { helpGroups } from './help-groups.js';
import { settingGroups, settingRows, type SettingRow } from './settings.js';

/** The output of `--help`: fits on a screen. */
export function shortHelp(version: string): string {
  return `${introduction(version)}
${groups()
  .map(([title, lines]) => `${title}:\n${lines.join('\n')}\n`)
  .join('\n')}
Examples:
  claude-code-mcp install
  claude-code-mcp watch 1b9d6bcd
  claude-code-mcp --max-sessions 4 --default-cwd /path/to/project

About a command:  claude-code-mcp help <command>
All ${settingRows.length} settings:  claude-code-mcp help settings
`;
}

/** The output of `config --help` and `help config`. */
export function commandHelp(command: CommandName): string {
  const { usage, doc, example } = commands[command];
  return `Usage: claude-code-mcp ${usage}

${wrapped(doc)}
${ownFlags(command)}
Example:
  claude-code-mcp ${example}
${related(command)}
Flags of the server work here, too: claude-code-mcp help settings
`;
}

const aboutSettings =
  'Each setting has a flag, an environment variable (in brackets below) and a key in the config file: the flag in camelCase. A flag overrides a variable, and a variable overrides the file. See docs/configuration.md for details.';

/** The output of `help settings`. */
export function settingsHelp(): string {
  const groups = settingGroups.map(({ title, rows }) => `${title}:\n${rows.map(flagLines).join('\n')}`);
  return `${wrapped(aboutSettings)}

To see every value and its source: claude-code-mcp config

General:
  --config <file>
      JSON config file, such as { "maxSessions": 4, "checkResponds": false }

${groups.join('\n\n')}

Example:
  claude-code-mcp --max-sessions 4 --default-cwd /path/to/project
`;
}

/** The output of `--help-all`. */
export function fullHelp(version: string): string {
  const rows = Object.values(commands).map(({ usage, doc }) => `  ${usage}\n${wrapped(doc, indent)}`);
  return `${introduction(version)}
Commands:
${rows.join('\n')}

Flags of commands:
${Object.entries(commandFlags).map(commandFlagLines).join('\n')}
  --help, --help-all, --version

${settingsHelp()}`;
}

/** The lines of each group. */
function groups(): (readonly [title: string, lines: readonly string[]])[] {
  const known = (name: string): boolean => Object.hasOwn(commands, name);
  const listed = new Set(helpGroups.flatMap(([, rows]) => rows.flatMap(({ of }) => of)));
  const others = Object.entries(commands).filter(([name]) => !listed.has(name));
  const width = Math.max(...helpGroups.flatMap(([, rows]) => rows.map(({ words }) => words.length)));
  const line = (words: string, brief: string): string => `  ${words.padEnd(width)}  ${brief}`;
  return helpGroups.map(([title, rows], index) => [
    title,
    [
      ...rows.filter(({ of }) => of.some(known)).map(({ words, brief }) => line(words, brief)),
      ...(index < helpGroups.length - 1
        ? []
        : others.map(([name, { doc }]) => line(name, firstSentence(doc)))),
    ],
  ]);
}

/** Other commands that begin with the same word. */
function related(command: CommandName): string {
  const [family = ''] = command.split(' ');
  const others = commandNames.filter((name) => name !== command && name.split(' ')[0] === family);
  return others.length === 0 ? '' : `\nSee also: ${others.join(', ')}\n`;
}

const maxColumns = 80;
const indent = '      ';

/** In lines that terminals do not break. */
function wrapped(text: string, margin = ''): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (margin.length + line.length + 1 + word.length <= maxColumns)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${margin}${line}`).join('\n');
}

function ownFlags(command: CommandName): string {
  const rows = Object.entries<Flag>(commandFlags).filter(([, { of }]) => of.includes(command));
  return rows
    .map(([flag, row]) => `\n  ${flagText(flag, row.shape)}\n${wrapped(docOf(row, command), indent)}\n`)
    .join('');
}

function introduction(version: string): string {
  return `claude-code-mcp ${version}
Runs Claude Code sessions for MCP clients, and lets you watch and approve them.

Usage: claude-code-mcp [flags]             serve MCP over stdin and stdout
       claude-code-mcp <command> [flags]
`;
}

function commandFlagLines([flag, { of, shape, doc }]: [string, Flag]): string {
  const docs = typeof doc === 'string' ? [[of.join(' and '), doc]] : Object.entries(doc);
  return [
    `  ${flagText(flag, shape)}`,
    ...docs.map(([name, text]) => wrapped(`For ${name}: ${text}`, indent)),
  ].join('\n');
}

function flagText(flag: string, shape: string | undefined): string {
  return shape === undefined ? `--${flag}` : `--${flag} <${shape}>`;
}

function flagLines(row: SettingRow): string {
  const { flag, kind, env } = row;
  return `  --${flag} <${kind.shape}>\n${wrapped(`${summary(row)} [${env.join(', ')}]`, indent)}`;
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
