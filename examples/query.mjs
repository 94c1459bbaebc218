// Runs a task to the end in one call, and prints each step.
// Usage: node examples/query.mjs <task> <folder>
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [task, cwd] = process.argv.slice(2);
if (task === undefined || cwd === undefined) {
  console.error('Usage: node examples/query.mjs <task> <folder>');
  process.exit(2);
}

// The server has printed why it could not start. A stack trace would only hide it.
process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ['dist/claude-code-mcp.js', '--toolsets', 'query'],
    env: process.env,
  }),
);
const { content } = await client.callTool(
  { name: 'claude_code_query', arguments: { prompt: task, cwd, allowedTools: ['Read', 'Write'] } },
  { timeout: 300_000, onprogress: ({ message }) => console.log(message) },
);
const [{ text }] = content;
// A call that was refused has a text only.
const { result } = text.startsWith('{') ? JSON.parse(text) : { result: { error: text } };
if (result.error === undefined) console.log(result.summary);
else {
  console.error(result.error);
  process.exitCode = 1;
}
await client.close();
