import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';

/** What each answer of the scripted model uses. */
const answer = {
  costUsd: 0.0044,
  turns: 1,
  tokens: { input: 1_000, output: 20, cacheRead: 0, cacheWrite: 0 },
};
const twice = { costUsd: 0.0088, turns: 2, tokens: { ...answer.tokens, input: 2_000, output: 40 } };
const claude = 'claude-opus-5-5';
const naming = { CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS: '1' };

async function usage({ server }: Scene): Promise<Record<string, unknown>> {
  const { contents } = await server.client.readResource({ uri: 'claude-code://usage' });
  const [content] = contents;
  return JSON.parse(content !== undefined && 'text' in content ? content.text : '') as Record<
    string,
    unknown
  >;
}

async function run({ server }: Scene, cwd: string): Promise<string> {
  const { json } = await server.call('claude_code', { prompt: 'hello', cwd, waitMs: 20_000 });
  expect(json).toMatchObject({ status: 'idle' });
  return json.sessionId;
}

/** A line of another server of the same user. */
function writeLine({ sandbox }: Pick<Scene, 'sandbox'>, line: object): string {
  const at = new Date().toISOString();
  const folder = join(sandbox.stateDir, 'usage');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${at.slice(0, 10)}.jsonl`),
    `${JSON.stringify({ at, sessionId: 's', costUsd: 1, turns: 3, ...line })}\n`,
    { flag: 'a' },
  );
  return at.slice(0, 10);
}

describe('usage', () => {
  const era = 'modern';
  it('is summed up by day, project and model, with what other servers have used', async () => {
    const scene = await startScene({ era, env: naming });
    const { sandbox } = scene;
    const other = join(sandbox.root, 'other');
    mkdirSync(other);

    const sessionId = await run(scene, sandbox.project);
    await scene.server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });
    await run(scene, other);
    // An old line, from before models were told.
    const today = writeLine(scene, { cwd: '/srv/old' });

    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const all = { costUsd: 1.0132, turns: 6, tokens: { ...none, input: 3_000, output: 60 } };
    expect(await usage(scene)).toEqual({
      period: 'the last 31 days, by UTC',
      total: all,
      days: [{ date: today, ...all }],
      projects: [
        { project: '/srv/old', costUsd: 1, turns: 3, tokens: none },
        { project: sandbox.project, ...twice },
        { project: other, ...answer },
      ],
      models: [
        { model: 'unknown', costUsd: 1, turns: 3, tokens: none },
        { model: claude, costUsd: 0.0132, turns: 3, tokens: { ...none, input: 3_000, output: 60 } },
      ],
    });
  });
});
