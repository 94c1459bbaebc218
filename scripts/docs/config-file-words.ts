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

/** Precedence, the config file and the config command. The examples come from the code that they document. */
export function configFileWords(): string {
  const file = { path, values: checkValues(path, example), warnings: [] };
  const loaded = loadSettings({ 'log-level': 'debug' }, { CLAUDE_CODE_MCP_MAX_SESSIONS: '6' }, file);
  return `## Precedence

A flag overrides a variable, a variable overrides the config file, and the file overrides the default. An empty variable
counts as not set. A flag with two different values is refused.

\`claude-code-mcp ${commands.config.usage}\` reads the same flags, file and environment as the server. It prints every value
and its source, without starting the server. Secrets are masked. \`--json\` prints an object with \`settings\` (\`value\`,
\`source\` and, unless it is the default, \`name\` for each key), \`warnings\` and, if the file declares any, \`principals\`.
The command shows the defaults of a server over stdin and stdout, or with \`--service\` those of \`serve\`, which are stricter for \`approvals\` and \`history\`.

\`\`\`text
$ CLAUDE_CODE_MCP_MAX_SESSIONS=6 claude-code-mcp config --config ${path} --log-level debug
${shorten(configText(loaded))}
\`\`\`

## Config file

\`\`\`json
${JSON.stringify(example, undefined, 2)}
\`\`\`

- The file contains one JSON object. Its keys are the flags in camelCase: \`--max-sessions\` is \`maxSessions\`. Numbers and
  \`true\` or \`false\` (instead of \`1\` or \`0\`) have no quotes. Lists are arrays.
- The server reads a config file only if \`--config\` names it. It does not search for one. Use an absolute path: a relative
  one depends on the folder in which the client starts the server, which may be a repository that you do not trust.
- A missing file, invalid JSON, an unknown or repeated key or an invalid value stops the server with exit code 2. The message names the
  file, the key and the accepted values. The server checks the whole file, including values that a variable or flag
  overrides.
- The file decides what callers may do. It must not be a symbolic link, and only its owner may be able to write to it:
  \`chmod go-w\`. Windows has no such permissions, so the server does not check them there.
- Keep it outside the folders in which sessions work.
- Only a config file can declare the [principals](service.md#principals) that share a service.
- If it contains a secret, only you should be able to read it: \`chmod 600\`. Otherwise the server logs a warning.`;
}

/** The header and the settings that are not defaults. A long value takes two lines. */
function shorten(text: string): string {
  return text
    .trimEnd()
    .split(/\n(?! )/)
    .filter((row) => !row.endsWith(' default'))
    .join('\n');
}
