import { checkValues } from '../../src/config/config-file.js';
import { loadSettings } from '../../src/config/load.js';
import { packageLaunch } from '../../src/console/clients/launch.js';

const solo = {
  CLAUDE_CODE_MCP_ROOTS: '/home/me/projects',
  CLAUDE_CODE_MCP_MAX_BUDGET_USD: '5',
};

const team = {
  approvals: 'human',
  roots: ['/srv/projects'],
  callerModes: ['default', 'plan'],
  history: 'list',
  maxBudgetUsd: 5,
  maxBudgetUsdPerDay: 50,
  auditLog: '/var/log/claude-code-mcp/audit.jsonl',
  auditRequired: true,
};

const ci = {
  CLAUDE_CODE_MCP_TOOLSETS: 'query',
  CLAUDE_CODE_MCP_ROOTS: '/builds/project',
  CLAUDE_CODE_MCP_APPROVALS: 'any',
  CLAUDE_CODE_MCP_ELICITATION: 'off',
  CLAUDE_CODE_DEFAULT_PERMISSION_MODE: 'dontAsk',
  CLAUDE_CODE_ALLOWED_TOOLS: 'Read,Glob,Grep,Edit,Bash(npm test)',
  CLAUDE_CODE_MAX_EXECUTION_TIME: '900000',
  CLAUDE_CODE_MCP_MAX_BUDGET_USD: '2',
  CLAUDE_CODE_MCP_HISTORY: 'off',
};

/** Complete examples. The loader checks each one before it is printed. */
export function recipes(): string {
  checkValues('team.json', team);
  for (const environment of [solo, ci]) loadSettings({}, environment);
  const client = { mcpServers: { 'claude-code': { ...packageLaunch('linux'), env: solo } } };
  const exports = Object.entries(ci).map(
    ([name, value]) => `export ${name}=${/[(,]/.test(value) ? `'${value}'` : value}`,
  );
  return `## Recipes

### Solo developer

Put this into the configuration of your MCP client. Sessions work below one folder, and each may cost at most 5 dollars.
Approvals stay at \`auto\`: your client shows you a form if it can, and the calling model may approve until you have answered
one.

\`\`\`json
${JSON.stringify(client, undefined, 2)}
\`\`\`

### Team with human approval

Save this as a config file and start the server with \`claude-code-mcp --config /etc/claude-code-mcp.json\`. Only a person
can approve, in a client that supports forms. The audit log records every prompt and approval, and the server refuses new
work when it cannot be written.

\`\`\`json
${JSON.stringify(team, undefined, 2)}
\`\`\`

### CI

Nobody can approve in CI, so \`dontAsk\` denies every tool that is not listed. One call runs to completion within 15 minutes
and 2 dollars.

\`\`\`sh
${exports.join('\n')}
\`\`\``;
}
