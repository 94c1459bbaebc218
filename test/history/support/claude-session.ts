import { randomUUID } from 'node:crypto';
import { type Options, query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { onTestFinished } from 'vitest';

export interface ClaudeSetup {
  readonly modelUrl: string;
  readonly home: string;
  readonly configDir?: string;
  readonly cwd: string;
}

/** A live Claude Code process that is kept idle between turns. */
export interface IdleSession {
  readonly uuids: ReadonlySet<string>;
  readonly pid: number;
  turn(prompt: string): Promise<void>;
}

export async function startSession(setup: ClaudeSetup, options: Options): Promise<IdleSession> {
  const uuids = new Set<string>();
  const prompts = new TransformStream<SDKUserMessage, SDKUserMessage>();
  const writer = prompts.writable.getWriter();
  const session = query({ prompt: prompts.readable, options: { ...baseOptions(setup), ...options } });
  onTestFinished(async () => {
    await writer.close().catch(() => undefined);
    await drain(session).catch(() => undefined);
  });
  const pid = pidIn(await session.initializationResult());

  const turn = async (prompt: string): Promise<void> => {
    const uuid = randomUUID();
    uuids.add(uuid);
    await writer.write({
      type: 'user',
      message: { role: 'user', content: prompt },
      parent_tool_use_id: null,
      uuid,
    });
    for (;;) {
      const { value, done } = await session.next();
      if (done === true) throw new Error('Claude Code ended within a turn');
      if (value.uuid !== undefined) uuids.add(value.uuid);
      if (value.type === 'result') return;
    }
  };
  return { uuids, pid, turn };
}

/** One turn by a process of its own, which ends with it. */
export async function resumeOnce(setup: ClaudeSetup, sessionId: string, prompt: string): Promise<void> {
  const session = query({ prompt, options: { ...baseOptions(setup), resume: sessionId } });
  for await (const message of session) {
    if (message.type === 'result' && message.is_error) throw new Error('the resumed turn failed');
  }
}

/** Ends when the process has: only then can its files be removed for good. */
async function drain(session: AsyncIterator<unknown>): Promise<void> {
  while ((await session.next()).done !== true);
}

function pidIn(initialization: object): number {
  if ('pid' in initialization && typeof initialization.pid === 'number') return initialization.pid;
  throw new Error('Claude Code did not tell its pid');
}

function baseOptions({ modelUrl, home, configDir, cwd }: ClaudeSetup): Options {
  const nowhere = 'http://127.0.0.1:9';
  return {
    cwd,
    permissionMode: 'default',
    settingSources: ['user'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      USERPROFILE: home,
      TMPDIR: home,
      ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }),
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'sk-fake',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      NO_PROXY: '127.0.0.1',
    },
  };
}
