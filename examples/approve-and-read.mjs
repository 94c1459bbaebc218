// Starts a session, answers its requests, and prints the result.
// Usage: node examples/approve-and-read.mjs <task> <folder>
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [task, cwd] = process.argv.slice(2);
if (task === undefined || cwd === undefined) {
  console.error('Usage: node examples/approve-and-read.mjs <task> <folder>');
  process.exit(2);
}

// Errors of tools are texts that say what to do. A stack trace would only hide them.
process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ['dist/claude-code-mcp.js'],
    env: process.env,
  }),
);

/** Calls a tool and reads its JSON. */
async function call(name, args) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content[0].text;
  if (isError) throw new Error(text);
  return JSON.parse(text);
}

let session = await call('claude_code', { prompt: task, cwd, waitMs: 30_000 });
while (session.status === 'running' || session.status === 'waiting') {
  const [action] = session.actions ?? [];
  if (action === undefined) {
    const { sessionId, cursor } = session;
    session = await call('claude_code_check', { sessionId, cursor });
    continue;
  }
  // A real client asks its user here.
  const decision = action.toolName === 'Write' ? 'allow' : 'deny';
  console.log(`${decision}: ${action.toolName} ${JSON.stringify(action.input)}`);
  session = await call('claude_code_respond', { requestId: action.requestId, decision });
}
console.log(session.result.nextStep ?? session.result.result);
if (session.status !== 'idle') process.exitCode = 1;
await client.close();
