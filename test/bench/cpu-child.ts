/**
 * The CPU time that this process spends on a flood of events: through the session layer, or with the SDK's iterator
 * alone.
 */
import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { FAULTY_CLI_PATH } from '../kit/faulty-cli-env.js';
import { report } from './child.js';
import { composeInProcess, runTurn } from './in-process.js';
import { minimum } from './timing.js';

export interface CpuFindings {
  /** The number of events in all turns together. */
  readonly events: number;
  readonly turns: number;
  /** CPU time of the fastest turn, in microseconds. */
  readonly turnUs: number;
}

/** The first turn starts Claude Code, which is not measured. The others let V8 compile the code. */
const WARM_UP_TURNS = 3;
const TURNS = WARM_UP_TURNS + 3;

const [kind, cwd = process.cwd()] = process.argv.slice(2);
const used: number[] = [];
const events = await (kind === 'bare' ? runBare() : runSessions());
const turnUs = minimum(used.slice(WARM_UP_TURNS));
report({ events, turns: TURNS, turnUs } satisfies CpuFindings);

async function runSessions(): Promise<number> {
  const sessions = await composeInProcess(process.env);
  let before = process.cpuUsage();
  let { sessionId, cursor } = await runTurn(sessions, 'claude_code', { prompt: 'go', cwd });
  note(before);
  while (used.length < TURNS) {
    before = process.cpuUsage();
    ({ sessionId, cursor } = await runTurn(sessions, 'claude_code_reply', { sessionId, prompt: 'go' }));
    note(before);
  }
  await sessions.close();
  return Number(cursor);
}

async function runBare(): Promise<number> {
  let next: () => void = () => undefined;
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    while (used.length < TURNS) {
      const answered = new Promise<void>((resolve) => (next = resolve));
      yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null };
      await answered;
    }
  }
  const options = { cwd, env: process.env, pathToClaudeCodeExecutable: FAULTY_CLI_PATH };
  let count = 0;
  let before = process.cpuUsage();
  for await (const message of query({ prompt: prompts(), options })) {
    count += 1;
    if (message.type !== 'result') continue;
    note(before);
    before = process.cpuUsage();
    next();
  }
  return count;
}

function note(before: NodeJS.CpuUsage): void {
  const { user, system } = process.cpuUsage(before);
  used.push(user + system);
}
