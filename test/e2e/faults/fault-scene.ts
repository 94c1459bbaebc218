import { expect } from 'vitest';
import type { AnswerJson } from '../../kit/answer-json.js';
import { faultyCli, type FaultyMode, type FaultyOptions } from '../../kit/faulty-cli-env.js';
import { startScene, type Scene } from '../../kit/fixture.js';

/** Longer than any turn of the stand-in; a wait ends by itself as soon as there is news. */
const WAIT_MS = 20_000;

export const backends = ['agent-sdk', 'cli'] as const;

export function startFaulty(
  mode: FaultyMode,
  {
    backend = 'agent-sdk',
    ...options
  }: FaultyOptions & { readonly backend?: (typeof backends)[number] } = {},
): Promise<Scene> {
  const env = { CLAUDE_CODE_MCP_BACKEND: backend, ...faultyCli(mode, options) };
  return startScene({ era: 'modern', env });
}

export function start(
  { server, sandbox }: Scene,
  args: Record<string, unknown> = {},
): ReturnType<Scene['server']['call']> {
  return server.call('claude_code', { prompt: 'go', cwd: sandbox.project, waitMs: WAIT_MS, ...args });
}

export function reply(
  { server }: Scene,
  sessionId: string,
  prompt = 'again',
): ReturnType<Scene['server']['call']> {
  return server.call('claude_code_reply', { sessionId, prompt, waitMs: WAIT_MS });
}

/** The first events of a session, as a caller reads them. */
export async function eventsOf(
  { server }: Scene,
  sessionId: string,
): Promise<NonNullable<AnswerJson['events']>> {
  const { json } = await server.call('claude_code_check', {
    sessionId,
    cursor: 0,
    waitMs: 0,
    include: ['events'],
  });
  return json.events ?? [];
}

/** The server still answers, has these sessions, and no process but itself is left. */
export async function expectQuiet({ server, sandbox }: Scene, sessions: readonly unknown[]): Promise<void> {
  const list = await server.call('claude_code_session', { action: 'list' });
  expect(list.json.sessions).toMatchObject(sessions);
  expect(sandbox.processes()).toMatchObject([{ pid: server.pid }]);
  expect(server.strayLines()).toEqual([]);
}
