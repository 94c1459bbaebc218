import { metricRows } from '../../src/observability/metrics/table.js';
import { code, table } from '../../src/toolsets/reference/markdown.js';
import { generatedNotice } from './markdown.js';

/** docs/metrics.md: what can be measured, and how to get it. */
export function metricsPage(): string {
  const rows = metricRows.map(({ name, type, labels, help }) => [
    code(name),
    type,
    labels.map(code).join(', '),
    help,
  ]);
  return `${generatedNotice}

# Metrics and usage

Metrics are off until \`CLAUDE_CODE_MCP_METRICS\` says where they go; until then nothing of them is even loaded.

- **A file**, for the textfile collector of node_exporter: \`CLAUDE_CODE_MCP_METRICS=/path/to/claude-code.{pid}.prom\`. It
  is replaced as a whole every 15 seconds and when the server ends, and only its user may read it. Each client starts a
  server of its own: with \`{pid}\` each writes its own file, which stays behind with the last figures.
- **An address**: \`CLAUDE_CODE_MCP_METRICS=127.0.0.1:9464\` serves \`GET /metrics\`; with port 0 any free one, which the log
  names. Only loopback addresses are accepted, requests under another host name and those of web pages are refused. When
  the port is taken, the log says so and the server goes on without metrics.

\`\`\`yaml
scrape_configs:
  - job_name: claude-code-mcp
    static_configs: [{ targets: ['127.0.0.1:9464'] }]
\`\`\`

${table(['Metric', 'Type', 'Labels', 'Meaning'], rows)}

Memory, CPU time and event loop of the server itself have the usual names: \`process_*\` and \`nodejs_*\`. Counters begin at
0 with each server. No label holds an id, a prompt or a path. Labels whose values others choose are bounded: the tools of MCP
servers count together as \`mcp\`, and models after the first 20 names as \`other\`.

## Usage

The resource \`claude-code://usage\` sums up what all servers of this user have used in the last 31 days, as JSON: \`total\`,
\`days\`, \`projects\` and \`models\`, each with \`costUsd\`, \`turns\` and \`tokens\` (\`input\`, \`output\`, \`cacheRead\`,
\`cacheWrite\`); for a model, \`turns\` are those in which it was used. It comes from \`STATE_DIR/usage\`, where each turn that
cost something has a line. Folders outside \`CLAUDE_CODE_MCP_ROOTS\` are not counted, and folders are named only with
\`CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS=1\`. \`claude_code_session\` tells the same sums of one session.

The table comes from \`src/observability/metrics/table.ts\`.
`;
}
