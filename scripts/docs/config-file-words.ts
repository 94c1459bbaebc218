import { commands } from '../../src/config/commands.js';
import { checkValues } from '../../src/config/config-file.js';
import { configText } from '../../src/commands/config.js';
import { loadSettings } from '../../src/config/load.js';

const path = '/home/me/.config/claude-code-mcp.json';

const example = {
  maxSessions: 4,
  roots: ['/home/me/projects'],
  approvals: 'human',
  maxBudgetUsd: 2.5,
  allowSensitiveDetails: true,
};

/** The file, which value wins, and the command that tells; the examples have been through the code they show. */
export function configFileWords(): string {
  const file = { path, values: checkValues(path, example), warnings: [] };
  const loaded = loadSettings({ 'log-level': 'debug' }, { CLAUDE_CODE_MCP_MAX_SESSIONS: '6' }, file);
  return `## Which value wins

Defaults, then the config file, then the environment, then flags: each beats those before it. An empty variable counts as
not set.

## The config file

\`\`\`sh
claude-code-mcp --config ${path}
\`\`\`

\`\`\`json
${JSON.stringify(example, undefined, 2)}
\`\`\`

- It is one JSON object. Its keys are the flags in camelCase: \`--max-sessions\` is \`maxSessions\`. Values are plain JSON:
  numbers, \`true\` and \`false\`, texts, and arrays of texts for what has several values.
- Only the flag names it; no variable and no folder is searched. Give an absolute path: a relative one is looked for in
  the folder in which the client happens to start the server, which may be a repository that you do not trust.
- A file that is missing or is not JSON, a key that is not in the table, and a value that does not fit stop the start with
  exit code 2. The message names the file, the key and what is accepted. The whole file is checked, also values that a
  variable or a flag overrides.
- Whoever can change the file decides what callers may do. So it must not be a symbolic link, and nobody but its owner may
  write to it: \`chmod go-w\`. Windows has no such bits, and they are not checked there.
- Keep it out of the folders that sessions work in.
- A secret in it should be for your eyes only: \`chmod 600\`. Otherwise there is a warning.

## What is in force

\`claude-code-mcp ${commands.config.usage}\` takes the same flags, file and environment as the server and prints what they come to,
without starting anything. Secrets are masked. With \`--json\` it is for programs: an object with \`settings\` (for each key
\`value\`, \`source\` and, unless it is the default, \`name\`) and \`warnings\`.

\`\`\`text
$ CLAUDE_CODE_MCP_MAX_SESSIONS=6 claude-code-mcp config --config ${path} --log-level debug
${shorten(configText(loaded))}
\`\`\``;
}

/** The head, and the lines that are not defaults. */
function shorten(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.endsWith(' default'))
    .join('\n');
}
