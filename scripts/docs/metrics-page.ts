import { metricRows } from '../../src/observability/metrics/table.js';
import { code } from '../../src/toolsets/reference/markdown.js';
import { generatedNotice } from './markdown.js';

/** docs/metrics.md: the metrics, and how to collect them. */
export function metricsPage(): string {
  const rows = metricRows.map(({ name, type, labels, help }) => {
    const by = labels.length === 0 ? '' : ` by ${labels.map(code).join(', ')}`;
    return `- ${code(name)} (${type}${by}): ${help}`;
  });
  return `${generatedNotice}

# Metrics and usage

Over stdin and stdout, metrics are off by default. \`CLAUDE_CODE_MCP_METRICS\` turns them on and names their destination. A
[service](service.md#endpoints) always serves them at \`/metrics\`, to tokens with the scope \`admin\`. Metrics need the package
\`prom-client\`, an optional dependency that npm normally installs with the server.

- **A file**, for the textfile collector of node_exporter: \`CLAUDE_CODE_MCP_METRICS=/path/to/claude-code.{pid}.prom\`. The
  server replaces it every 15 seconds and at exit, and only its user can read it. Each client starts its own server: with
  \`{pid}\` each writes its own file, which keeps the last values after the server exits.
- **An address**: \`CLAUDE_CODE_MCP_METRICS=127.0.0.1:9464\` serves \`GET /metrics\`. Port 0 picks a free port, which the
  server logs. Only loopback addresses are accepted. Requests for another host name and requests from web pages are refused.
  When the port is taken, the server logs an error and runs without metrics.

\`\`\`yaml
scrape_configs:
  - job_name: claude-code-mcp
    static_configs: [{ targets: ['127.0.0.1:9464'] }]
\`\`\`

## Metrics

${rows.join('\n')}

Metrics for the server's own memory, CPU time and event loop have the usual names: \`process_*\` and \`nodejs_*\`. Counters
start at 0 with each server. No label contains an id, a prompt or a path. Labels with values from outside are bounded: the tools of
MCP servers count together as \`mcp\`, and models after the first 20 names as \`other\`.

## Usage

The resource \`claude-code://usage\` sums up the usage of all servers of this user in the last 31 days, as JSON: \`total\`,
\`days\`, \`projects\` and \`models\`, each with \`costUsd\`, \`turns\` and \`tokens\` (\`input\`, \`output\`, \`cacheRead\`,
\`cacheWrite\`). For a model, \`turns\` counts the turns that used it. The server adds up the journals of the sessions in
\`CLAUDE_CODE_MCP_STATE_DIR\` ([where the data is](operations.md#where-the-data-is)). Folders outside \`CLAUDE_CODE_MCP_ROOTS\` are not
counted, and folder names appear only with \`CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS=1\`. \`claude_code_session\`
returns the same sums for one session.

The list comes from \`src/observability/metrics/table.ts\`.
`;
}
