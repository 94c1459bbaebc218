import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AnswerJson } from '../../kit/answer-json.js';
import { useFaultyMode, type FaultyMode, type FaultyOptions } from '../../kit/faulty-cli-env.js';
import { shared, startBackstage, startScene, type Scene } from '../../kit/fixture.js';
import { connectServer } from '../../kit/server-client.js';

/** Longer than any turn of the stand-in; a wait ends by itself as soon as there is news. */
const WAIT_MS = 20_000;

export const backends = ['agent-sdk', 'cli'] as const;

/** One server for cases that leave it as it was: its executable changes the mode between two starts. */
export function shareFaulty(
  backend: (typeof backends)[number],
): (mode: FaultyMode | undefined, options?: FaultyOptions) => Scene & { readonly executable: string } {
  const share = shared(async (atEnd) => {
    const { model, sandbox } = await startBackstage(atEnd);
    const executable = join(sandbox.root, 'claude');
    useFaultyMode(executable, 'ok');
    const env = { CLAUDE_CODE_MCP_BACKEND: backend, CLAUDE_CODE_PATH: executable };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    atEnd(() => server.close());
    return { executable, scene: { model, sandbox, server } };
  });
  return (mode, options) => {
    const { executable, scene } = share();
    useFaultyMode(executable, mode, options);
    return { ...scene, executable };
  };
}

/** A server whose stand-in CLI begins in this mode, and can switch to another. Undefined removes it. */
export async function startSwitchable(
  mode: FaultyMode,
  env: Readonly<Record<string, string>> = {},
): Promise<{ scene: Scene; use: (mode: FaultyMode | undefined) => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'ccm-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const executable = join(folder, 'claude');
  useFaultyMode(executable, mode);
  const scene = await startScene({ era: 'legacy', env: { CLAUDE_CODE_PATH: executable, ...env } });
  return { scene, use: (next) => useFaultyMode(executable, next) };
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
export async function expectQuiet(scene: Scene, sessions: readonly unknown[]): Promise<void> {
  const { json } = await scene.server.call('claude_code_session', { action: 'list' });
  expect(json.sessions).toMatchObject(sessions);
  expectNoProcess(scene);
}

/** The same for the newest session of a server that other cases use too. */
export async function expectQuietAfter(scene: Scene, newest: object): Promise<void> {
  const { json } = await scene.server.call('claude_code_session', { action: 'list' });
  expect(json.sessions?.[0]).toMatchObject(newest);
  expectNoProcess(scene);
}

function expectNoProcess({ server, sandbox }: Scene): void {
  expect(sandbox.processes()).toMatchObject([{ pid: server.pid }]);
  expect(server.strayLines()).toEqual([]);
}
