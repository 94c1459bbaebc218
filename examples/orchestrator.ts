// Runs several tasks at once, each in its own session, approves by a rule, and prints the results.
// Usage: npx tsx examples/orchestrator.ts <folder> <task> <task>...
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

interface Action {
  readonly requestId: string;
  readonly toolName: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

interface Session {
  readonly sessionId: string;
  readonly status: 'running' | 'waiting' | 'idle' | 'error' | 'cancelled';
  readonly actions?: readonly Action[];
  readonly result?: {
    readonly result: string;
    readonly nextStep?: string;
    readonly sessionTotalCostUsd?: number;
  };
}

interface News {
  readonly sessions: readonly Session[];
  readonly cursor: string;
}

/** The rule: edits and the tests may run, everything else may not. */
function isAllowed({ toolName, input }: Action): boolean {
  return ['Write', 'Edit'].includes(toolName) || (toolName === 'Bash' && input?.['command'] === 'npm test');
}

const [cwd, ...tasks] = process.argv.slice(2);
if (cwd === undefined || tasks.length === 0) {
  console.error('Usage: npx tsx examples/orchestrator.ts <folder> <task> <task>...');
  process.exit(2);
}

// Errors of tools are texts that say what to do. A stack trace would only hide them.
process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});

const client = new Client({ name: 'orchestrator', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ['dist/claude-code-mcp.js'],
    env: Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  }),
);

/** Calls a tool and reads its JSON. */
async function call<T>(name: string, args: Record<string, unknown>): Promise<T> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  if (isError === true) throw new Error(text);
  return JSON.parse(text) as T;
}

async function answer({ requestId, ...action }: Action): Promise<void> {
  const decision = isAllowed({ requestId, ...action }) ? 'allow' : 'deny';
  console.log(`${decision}: ${action.toolName} ${JSON.stringify(action.input)}`);
  await call('claude_code_respond', { requestId, decision, waitMs: 0 });
}

const started = await Promise.all(
  tasks.map((task) => call<Session>('claude_code', { prompt: task, title: task, cwd })),
);
const open = new Map(started.map(({ sessionId }, index) => [sessionId, tasks[index]]));

// Each call waits for news from any session that still works.
let cursor: string | undefined;
while (open.size > 0) {
  const news = await call<News>('claude_code_check', {
    sessionIds: [...open.keys()],
    ...(cursor === undefined ? {} : { cursor }),
  });
  cursor = news.cursor;
  for (const { sessionId, status, actions = [], result } of news.sessions) {
    for (const action of actions) await answer(action);
    if (status === 'running' || status === 'waiting') continue;
    const cost = result?.sessionTotalCostUsd ?? 0;
    console.log(
      `${open.get(sessionId)}: ${status}, $${cost.toFixed(2)}: ${result?.nextStep ?? result?.result}`,
    );
    open.delete(sessionId);
  }
}
await client.close();
