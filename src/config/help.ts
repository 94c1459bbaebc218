import { commands } from './commands.js';
import { settings } from './settings.js';

/** What `--help` prints. */
export function helpText(version: string): string {
  const lines = Object.values(settings).map(
    ({ flag, env, shape, doc, fallback }) =>
      `  --${flag} <${shape}>\n      ${doc}${showDefault(fallback)}\n      Environment: ${env.join(', ')}`,
  );
  const commandLines = Object.values(commands).map(({ usage, doc }) => `  ${usage}\n      ${doc}`);
  return `claude-code-mcp ${version}
Lets any MCP client start, watch, steer, approve and resume Claude Code sessions.

Usage: claude-code-mcp [flags]             speaks MCP over stdin and stdout
       claude-code-mcp <command> [flags]

Commands:
${commandLines.join('\n')}

Examples:
  claude mcp add claude-code -- node /path/to/claude-code-mcp/dist/claude-code-mcp.js
  claude-code-mcp --max-sessions 4 --default-cwd /path/to/project
  claude-code-mcp --config /path/to/config.json
  claude-code-mcp config --config /path/to/config.json
  claude-code-mcp --audit-log /path/to/audit.jsonl --audit-required 1
  claude-code-mcp audit verify --audit-log /path/to/audit.jsonl

Config file:
  A JSON object. Its keys are the flags below in camelCase: --max-sessions is maxSessions. For example:
    { "maxSessions": 4, "roots": ["/path/to/projects"], "checkResponds": false }
  A flag beats a variable, a variable beats the file, the file beats the default.

Flags:
  --config <file>
      The config file. It must not be a symbolic link, nor writable by others.
${lines.join('\n')}
  --head <seq:mark>
      For audit verify: a head that the log has told, to be found in the file or right before its first line.
  --help, --version
`;
}

function showDefault(fallback: unknown): string {
  if (typeof fallback === 'boolean') return ` Default: ${fallback ? 1 : 0}.`;
  if (Array.isArray(fallback) && fallback.length > 0) return ` Default: ${fallback.join(',')}.`;
  const isShown = typeof fallback === 'number' || (typeof fallback === 'string' && fallback !== '');
  return isShown ? ` Default: ${fallback}.` : '';
}
