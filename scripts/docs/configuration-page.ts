import type { Setting } from '../../src/config/setting.js';
import { depthVariable, settings } from '../../src/config/settings.js';
import { code, digits, generatedNotice, table } from './markdown.js';

const all: readonly Setting<unknown>[] = Object.values(settings);

/** docs/configuration.md: everything an operator can set. */
export function configurationPage(): string {
  return `${generatedNotice}

# Configuration

The server runs without any configuration. What you set, you set with flags or with environment variables; a flag
beats a variable, and a variable beats the default.

- An unknown flag, or a value that does not fit, stops the start with exit code 2 and a line on stderr.
- Where two variables are named, the first is ours. The second is a short name that other programs may use too, so a
  bad value there is ignored with a warning.
- Every flag takes a value: \`--check-responds 1\`.
- The variables of this table are taken out of the environment of the sessions, whatever else uses them there.

${table(['Setting', 'Variable', 'Default'], all.map(overviewRow))}

${all.map(section).join('\n\n')}

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

function overviewRow(setting: Setting<unknown>): string[] {
  return [code(`--${setting.flag}`), setting.env.map(code).join(', '), defaultOf(setting) ?? 'see below'];
}

function section(setting: Setting<unknown>): string {
  const fallback = defaultOf(setting);
  return [
    `## ${code(`--${setting.flag}`)}\n\n${setting.doc}\n`,
    `- Variable: ${setting.env.map(code).join(', ')}`,
    `- Value: ${accepts(setting)}`,
    ...(fallback === undefined ? [] : [`- Default: ${fallback}`]),
  ].join('\n');
}

/** What a setting takes, in the words with which it refuses everything else. */
function accepts({ shape, parse }: Setting<unknown>): string {
  // The separator in the shape is that of the machine on which this runs.
  if (shape.startsWith('path[')) return 'paths, separated by `:`, or by `;` on Windows';
  try {
    parse('\0');
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).replace(/^must be /, '');
    const [, choices] = /^one of (.+)$/.exec(words) ?? [];
    if (choices !== undefined) return choices.split(', ').map(code).join(', ');
    return words.replaceAll(/\d{4,}/g, (number) => digits(Number(number)));
  }
  return `a ${shape}`;
}

/** Undefined where the default depends on the machine: the words of the setting say what it is then. */
function defaultOf({ fallback }: Setting<unknown>): string | undefined {
  if (typeof fallback === 'number') return digits(fallback);
  if (typeof fallback === 'boolean') return code(fallback ? '1' : '0');
  if (Array.isArray(fallback)) return fallback.length === 0 ? 'none' : fallback.map(code).join(', ');
  return typeof fallback === 'string' ? code(fallback) : undefined;
}
