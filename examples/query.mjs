// Runs a task to the end in one call, and prints each step.
// Usage: node examples/query.mjs <task> <folder>
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [task = 'Say hello.', cwd = process.cwd()] = process.argv.slice(2);

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ['dist/claude-code-mcp.js', '--toolsets', 'query'],
    env: process.env,
  }),
);
const { content, isError } = await client.callTool(
  { name: 'claude_code_query', arguments: { prompt: task, cwd, allowedTools: ['Read', 'Write'] } },
  { timeout: 300_000, onprogress: ({ message }) => console.log(message) },
);
console.log(content[0].text);
if (isError) process.exitCode = 1;
await client.close();
