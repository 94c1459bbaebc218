import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';

const all = { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions,codex' } as const;
const era = 'modern';

/** The answer of every tool that continues this session. */
async function continued({ server }: Pick<InProcessScene, 'server'>, sessionId: string): Promise<string[]> {
  const prompt = 'more';
  const calls = [
    ['claude_code_reply', { sessionId, prompt }],
    ['claude_code_reply', { sessionId, prompt, forkSession: true }],
    ['claude_code_session', { action: 'configure', sessionId, model: 'haiku' }],
    ['claude_send_message', { sessionId, message: prompt }],
    ['codex-reply', { threadId: sessionId, prompt }],
  ] as const;
  const texts: string[] = [];
  for (const [name, args] of calls) texts.push((await server.call(name, args)).text);
  return texts;
}

/** A session from an earlier server, so that no process keeps its folder. */
async function startedBefore(scene: InProcessScene, cwd: string): Promise<string> {
  const { json } = await scene.server.call('claude_code', { prompt: 'hello', cwd, waitMs: 20_000 });
  return json.sessionId;
}

// No tool that continues a session can choose another folder.
describe('a session whose folder', () => {
  it.each([
    ['is gone', (folder: string) => rmSync(folder, { recursive: true }), 'does not exist'],
    [
      'is now a file',
      (folder: string) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
      'is not a folder',
    ],
  ])('%s is continued by no tool, and each says how to go on', async (_what, lose, problem) => {
    const first = await startInProcess({ era, env: all });
    const folder = first.sandbox.project;
    const sessionId = await startedBefore(first, folder);
    const scene = await restartInProcess(first, { era, env: all });
    lose(folder);

    const texts = await continued(scene, sessionId);
    await scene.server.close();

    const refusal = `Error [INVALID_ARGUMENT]: the session's folder ${folder} ${problem}. Restore the folder, or`;
    expect(texts).toEqual([
      ...Array.from({ length: 4 }, () => `${refusal} start a new session.`),
      `${refusal} call codex again.`,
    ]);
  });

  it('is no longer allowed is continued by no tool, and each says how to go on', async () => {
    const first = await startInProcess({
      era,
      env: all,
      envFor: ({ home }) => ({ CLAUDE_CODE_MCP_ROOTS: home }),
    });
    const { home } = first.sandbox;
    const sessionId = await startedBefore(first, home);
    const scene = await restartInProcess(first, { era, env: all });

    const texts = await continued(scene, sessionId);
    await scene.server.close();

    const refusal = `Error [PERMISSION_DENIED]: the session's folder ${home} is not allowed: it is the home folder or a parent of it.`;
    const ask = 'in a project folder, or ask the operator to add this folder to CLAUDE_CODE_MCP_ROOTS.';
    expect(texts).toEqual([
      ...Array.from({ length: 4 }, () => `${refusal} Start a new session ${ask}`),
      `${refusal} Call codex again ${ask}`,
    ]);
  });
});
