import { settings } from './settings.js';

/** What `--help` prints. */
export function helpText(version: string): string {
  const lines = Object.values(settings).map(
    ({ flag, env, shape, doc, fallback }) =>
      `  --${flag} <${shape}>\n      ${doc}${showDefault(fallback)}\n      Environment: ${env.join(', ')}`,
  );
  return `claude-code-mcp ${version}
Lets any MCP client start, watch, steer, approve and resume Claude Code sessions.

Usage: claude-code-mcp [flags]        speaks MCP over stdin and stdout

Examples:
  claude mcp add claude-code -- node /path/to/claude-code-mcp/dist/claude-code-mcp.js
  claude-code-mcp --max-sessions 4 --default-cwd /path/to/project

Flags:
${lines.join('\n')}
  --help, --version
`;
}

function showDefault(fallback: unknown): string {
  const isShown = typeof fallback === 'number' || (typeof fallback === 'string' && fallback !== '');
  return isShown ? ` Default: ${fallback}.` : '';
}
