import type { Setting } from '../../src/config/setting.js';
import { depthVariable, settingRows } from '../../src/config/settings.js';
import { configFileWords } from './config-file-words.js';
import { code, digits, table } from '../../src/toolsets/reference/markdown.js';
import { generatedNotice } from './markdown.js';

type Row = readonly [key: string, setting: Setting<unknown>];

/** docs/configuration.md: everything an operator can set. */
export function configurationPage(): string {
  return `${generatedNotice}

# Configuration

The server runs without any configuration. What you set, you set with flags, with environment variables, or in a config
file.

- An unknown flag, or a value that does not fit, stops the start with exit code 2 and a line on stderr.
- Where two variables are named, the first is ours. The second is a short name that other programs may use too, so a
  bad value there is ignored with a warning.
- Every flag takes a value: \`--check-responds 1\`.
- A variable that begins with \`CLAUDE_CODE_MCP_\` and is almost one of ours gets a warning: it is probably misspelt. Other
  unknown ones are left alone, because Claude Code has variables with that prefix.
- The variables of this table are taken out of the environment of the sessions, whatever else uses them there.
- A secret is better kept in a variable or in the file: other users of the machine can see the flags of a process.

${configFileWords()}

## All settings

${table(['Setting', 'Variable', 'Default'], settingRows.map(overviewRow))}

${settingRows.map(section).join('\n\n')}

## Variables of others

${table(['Variable', 'What it does here'], otherVariables)}

The list comes from \`src/config/settings.ts\`. \`claude-code-mcp --help\` prints the same.
`;
}

const otherVariables = [
  ['`CLAUDE_CONFIG_DIR`', 'Where Claude Code keeps its settings and transcripts. Sessions see it too.'],
  ['`CLAUDE_PROJECT_DIR`', 'The working folder of a session, when neither the caller nor you name one.'],
  ['`XDG_STATE_HOME`', 'The state folder of the user. Default: `~/.local/state`.'],
  [code(depthVariable), 'Set by the server in each session: how deep it is nested. Do not set it yourself.'],
];

function overviewRow([, setting]: Row): string[] {
  return [code(`--${setting.flag}`), setting.env.map(code).join(', '), defaultOf(setting) ?? 'see below'];
}

function section([key, setting]: Row): string {
  const fallback = defaultOf(setting);
  return [
    `### ${code(`--${setting.flag}`)}\n\n${setting.doc}\n`,
    `- Variable: ${setting.env.map(code).join(', ')}`,
    `- Value: ${accepts(setting)}`,
    `- In the file: ${code(key)}: ${readable(setting.accepts.json)}`,
    ...(fallback === undefined ? [] : [`- Default: ${fallback}`]),
  ].join('\n');
}

/** What a setting takes, in the words with which it refuses everything else. */
function accepts({ shape, accepts }: Setting<unknown>): string {
  // The separator in the words is that of the machine on which this runs.
  if (shape.startsWith('path[')) return 'absolute paths, separated by `:`, or by `;` on Windows';
  return readable(accepts.text);
}

/** Choices as code, long numbers with their thousands apart. */
function readable(words: string): string {
  const [, choices] = /^one of (.+)$/.exec(words) ?? [];
  if (choices !== undefined) return choices.split(', ').map(code).join(', ');
  const [, start, several, end = ''] =
    /^((?:an array with )?one or more of )(.+?)(, separated by commas)?$/.exec(words) ?? [];
  if (several !== undefined) return `${start}${several.split(', ').map(code).join(', ')}${end}`;
  return words.replaceAll(/\d{4,}/g, (number) => digits(Number(number)));
}

/** Undefined where the default depends on the machine: the words of the setting say what it is then. */
function defaultOf({ fallback, doc }: Setting<unknown>): string | undefined {
  if (doc.includes('Default: ')) return undefined;
  if (typeof fallback === 'number') return digits(fallback);
  if (typeof fallback === 'boolean') return code(fallback ? '1' : '0');
  if (Array.isArray(fallback)) return fallback.length === 0 ? 'none' : fallback.map(code).join(', ');
  return typeof fallback === 'string' ? code(fallback) : undefined;
}
