import { depthVariable, settingGroups, type SettingRow } from '../../src/config/settings.js';
import { code } from '../../src/toolsets/reference/markdown.js';
import { configFileWords } from './config-file-words.js';
import { recipes } from './configuration-recipes.js';
import { generatedNotice } from './markdown.js';

/** docs/configuration.md: every operator setting. */
export function configurationPage(): string {
  return `${generatedNotice}

# Configuration

The server runs without any configuration. Change it with environment variables, flags or a config file. The
[README](../README.md#install) says what \`claude-code-mcp\` stands for.

${recipes()}

${configFileWords()}

## Rules for all settings

- An unknown flag or an invalid value stops the server with exit code 2 and one line on stderr.
- Every flag takes a value. Only a switch can omit it: \`--check-responds\` means \`--check-responds 1\`.
- The first variable of a setting is specific to this server. A second one, such as \`LOG_LEVEL\`, is a short name that other
  programs may use too, so an invalid value in it is ignored with a warning.
- Use the full name of a variable. The server logs a warning when \`APPROVALS\` is set and \`CLAUDE_CODE_MCP_APPROVALS\` is
  not, and when a name that begins with \`CLAUDE_CODE_MCP_\` looks like a typo.
- Sessions do not inherit the variables of these settings.
- Pass secrets in a variable or in the config file: other users of the machine can see the flags of a process.

${settingGroups.map(({ title, rows }) => [`## ${title}`, ...rows.map(section)].join('\n\n')).join('\n\n')}

## Other variables

- \`CLAUDE_CONFIG_DIR\`: the folder of Claude Code's settings and transcripts. Sessions inherit it.
- \`CLAUDE_PROJECT_DIR\`: the working folder of a session when neither the caller nor \`CLAUDE_CODE_DEFAULT_CWD\` names one.
- \`XDG_STATE_HOME\`: the user's state folder. Default: \`~/.local/state\`.
- \`XDG_CONFIG_HOME\`: the user's configuration folder, for the key of saved approvals. Default: \`~/.config\`, \`~/Library/Application Support\` on macOS, \`%APPDATA%\` on Windows.
- ${code(depthVariable)}: the nesting depth. The server sets it in each session; do not set it yourself.

The settings come from \`src/config/settings.ts\`. \`claude-code-mcp --help-all\` prints a summary.
`;
}

function section(row: SettingRow): string {
  const { key, flag, env, doc } = row;
  return [
    `### ${code(`--${flag}`)}\n\n${formatted(doc)}\n`,
    `- Variable: ${env.map(code).join(', ')}`,
    `- Config file: ${code(key)}`,
    `- Value: ${accepts(row)}.${defaultOf(row)}`,
  ].join('\n');
}

/** Formats variables, tools and choices as code, and paths of our docs as links. */
function formatted(doc: string): string {
  return doc
    .replaceAll(/CLAUDE_[A-Z_]+(=\w+)?|[A-Z]+_\*|claude_code\w*|\{pid\}|(?<=\. )[a-z-]+(?=: )/g, code)
    .replace('See docs/metrics.md.', 'See [metrics](metrics.md).');
}

/** Choices as code. Numbers have no separators, because the parser accepts none. */
function accepts({ kind }: SettingRow): string {
  // The setting's own text names the separator of the machine that generates this page.
  if (kind.shape.startsWith('path[')) return 'absolute paths, separated by `:`, or by `;` on Windows';
  const words = kind.accepts.text;
  const [, start, choices, end = ''] =
    /^(one (?:or more )?of )(.+?)(, separated by commas)?$/.exec(words) ?? [];
  if (choices !== undefined) return `${start}${choices.split(', ').map(code).join(', ')}${end}`;
  return words;
}

/** Empty where the default depends on the machine. The text of the setting describes it. */
function defaultOf({ fallback, doc }: SettingRow): string {
  if (doc.includes('Default: ') || fallback === undefined) return '';
  if (typeof fallback === 'boolean') return ` Default: ${code(fallback ? '1' : '0')}.`;
  if (Array.isArray(fallback)) return ` Default: ${fallback.map(code).join(', ') || 'none'}.`;
  return ` Default: ${code(String(fallback))}.`;
}
