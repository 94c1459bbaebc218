import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';

/** What each answer of the scripted model uses. */
const answer = {
  costUsd: 0.0044,
  turns: 1,
  tokens: { input: 1_000, output: 20, cacheRead: 0, cacheWrite: 0 },
};
const twice = { costUsd: 0.0088, turns: 2, tokens: { ...answer.tokens, input: 2_000, output: 40 } };
const claude = 'claude-opus-5-5';
const naming = { CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS: '1' };

async function usage({ server }: InProcessScene): Promise<Record<string, unknown>> {
  const { contents } = await server.client.readResource({ uri: 'claude-code://usage' });
  const [content] = contents;
  return JSON.parse(content !== undefined && 'text' in content ? content.text : '') as Record<
    string,
    unknown
  >;
}

async function run({ server }: InProcessScene, cwd: string): Promise<string> {
  const { json } = await server.call('claude_code', { prompt: 'hello', cwd, waitMs: 20_000 });
  expect(json).toMatchObject({ status: 'idle' });
  return json.sessionId;
}

/** A line of another server of the same user. */
function writeLine({ sandbox }: Pick<InProcessScene, 'sandbox'>, line: object): string {
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

describe.each(['modern', 'legacy'] as const)('usage, %s era', (era) => {
  it('is summed up by day, project and model, with what other servers have used', async () => {
    const scene = await startInProcess({ era, env: naming });
    const { sandbox } = scene;
    const other = join(sandbox.root, 'other');
    mkdirSync(other);

    await run(scene, sandbox.project);
    await run(scene, sandbox.project);
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

  it('stays within the roots of the operator, and names no folder by default', async () => {
    const scene = await startInProcess({ era });
    writeLine(scene, { cwd: '/srv/secret' });
    const open = await usage(scene);
    const bounded = await startInProcess({ era, env: { CLAUDE_CODE_MCP_ROOTS: '/srv/public' } });
    writeLine(bounded, { cwd: '/srv/secret', costUsd: 5 });
    writeLine(bounded, { cwd: '/srv/public/a', costUsd: 2 });

    const within = await usage(bounded);

    expect(open).toMatchObject({ projects: [{ project: 1, costUsd: 1 }], note: expect.any(String) });
    expect(within).toMatchObject({ total: { costUsd: 2, turns: 3 }, projects: [{ project: 1, costUsd: 2 }] });
    expect(JSON.stringify([open, within])).not.toContain('srv');
  });

  it('of one session is in get and list', async () => {
    const scene = await startInProcess({ era });
    const { server, model, sandbox } = scene;
    model.when('look', [tool('Read', { file_path: join(sandbox.project, 'none') }), text('Nothing.')]);
    const started = await server.call('claude_code', {
      prompt: 'look',
      cwd: sandbox.project,
      allowedTools: ['Read'],
      waitMs: 20_000,
    });
    const { sessionId } = started.json;

    const got = await server.call('claude_code_session', { action: 'get', sessionId });
    const listed = await server.call('claude_code_session', { action: 'list' });

    expect(got.json).toMatchObject({
      totalCostUsd: 0.0088,
      sessionTotalTurns: 2,
      totalTokens: 2_040,
      tokens: twice.tokens,
    });
    expect(listed.json.sessions).toEqual([
      expect.objectContaining({ sessionId, turn: 1, totalCostUsd: 0.0088, totalTokens: 2_040 }),
    ]);
  });
});
