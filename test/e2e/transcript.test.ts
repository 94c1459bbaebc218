import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startBareSession } from '../kit/bare-session.js';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

interface MessageJson {
  readonly uuid: string;
  readonly role: string;
  readonly text: string;
  readonly tools?: readonly string[];
}

interface PageJson {
  readonly messages: readonly MessageJson[];
  readonly nextOffset?: number;
  readonly total: number;
}

const ask = ({ server }: Pick<Scene, 'server'>, sessionId: string, args: Record<string, unknown> = {}) =>
  server.call('claude_code_session', { action: 'transcript', sessionId, ...args });

async function page(
  scene: Pick<Scene, 'server'>,
  sessionId: string,
  args: Record<string, unknown> = {},
): Promise<PageJson> {
  const { json } = await ask(scene, sessionId, args);
  return json as unknown as PageJson;
}

/** A conversation that somebody else has had in this folder. */
async function foreignSession({ sandbox, model }: Omit<Scene, 'server'>, cwd: string): Promise<string> {
  const sessionId = randomUUID();
  const session = startBareSession({ sessionId, cwd, env: sandbox.env(model) });
  await session.turn('between you and me');
  session.end();
  await session.ended;
  return sessionId;
}

describe('transcript', () => {
  it('pages the conversation from either end, and its uuids are those of resumeSessionAt', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    model.when('look', [tool('Bash', { command: 'echo seen' }), text('looked')]);
    const start = { prompt: 'look', cwd: sandbox.project, waitMs: 20_000 };
    const { sessionId } = (await server.call('claude_code', start)).json;
    await server.call('claude_code_reply', { sessionId, prompt: 'and then?', waitMs: 20_000 });

    const oldest = await page(scene, sessionId, { order: 'oldest' });
    const newest = await page(scene, sessionId, { limit: 2 });
    const before = await page(scene, sessionId, { limit: 2, offset: newest.nextOffset });

    expect(oldest.messages).toMatchObject([
      { role: 'user', text: 'look' },
      { role: 'assistant', text: '', tools: ['Bash'] },
      { role: 'tool_result', text: 'seen' },
      { role: 'assistant', text: 'looked' },
      { role: 'user', text: 'and then?' },
      { role: 'assistant', text: 'ok' },
    ]);
    expect(oldest).not.toHaveProperty('nextOffset');
    expect(newest).toMatchObject({
      nextOffset: expect.any(Number),
      total: 6,
      messages: [{ text: 'ok' }, { text: 'and then?' }],
    });
    expect(before.messages).toMatchObject([{ text: 'looked' }, { text: 'seen' }]);

    const resumeSessionAt = oldest.messages[3]?.uuid;
    const again = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'again',
      diskResumeConfig: { resumeSessionAt },
      waitMs: 20_000,
    });
    expect(again.json).toMatchObject({ status: 'idle', result: { turn: 3 } });
    const lastRequest = JSON.stringify(model.requests(sessionId).at(-1)?.body);
    expect(lastRequest).toContain('looked');
    expect(lastRequest).not.toContain('and then?');
  });

  it('of a foreign session is read only where the operator allows it, within the roots', async () => {
    const stage = await startBackstage();
    const sessionId = await foreignSession(stage, stage.sandbox.project);
    const history = (value: string) => ({ CLAUDE_CODE_MCP_HISTORY: value });
    const refusing: [Record<string, string>, string[], RegExp][] = [
      [history('off'), [], /^Error \[SESSION_NOT_FOUND\]/],
      [history('list'), [], /^Error \[PERMISSION_DENIED\].*CLAUDE_CODE_MCP_HISTORY=read/],
      [history('resume'), [], /^Error \[PERMISSION_DENIED\].*CLAUDE_CODE_MCP_HISTORY=read/],
      [history('read'), ['--roots', '/nowhere/at/all'], /^Error \[SESSION_NOT_FOUND\]/],
    ];

    for (const [env, args, refusal] of refusing) {
      const server = await connectServer({ ...stage, era: 'modern', env, args });
      const { text: words } = await ask({ server }, sessionId);
      await server.close();

      expect(words).toMatch(refusal);
    }
    const server = await connectServer({ ...stage, era: 'modern', env: history('read') });
    const read = await page({ server }, sessionId);
    await server.close();

    expect(read.messages).toMatchObject([{ text: 'ok' }, { text: 'between you and me' }]);
  });

  it('of a foreign session stays refused after a reply, and a rewind names the setting that shows its uuids', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, sandbox } = scene;
    const sessionId = await foreignSession(scene, sandbox.project);
    const { json: taken } = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'hello',
      diskResumeConfig: { enableFileCheckpointing: true },
      waitMs: 20_000,
    });
    const rewind = (more: object) =>
      server.call('claude_code_session', { action: 'rewind', sessionId, ...more });

    const refused = await ask(scene, sessionId);
    const rewinds = [await rewind({}), await rewind({ messageId: randomUUID() })];

    expect(taken).toMatchObject({ sessionId, status: 'idle' });
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\].*CLAUDE_CODE_MCP_HISTORY=read/);
    for (const { text: words } of rewinds)
      expect(words).toMatch(
        /^Error \[INVALID_ARGUMENT\].* ask the operator to set CLAUDE_CODE_MCP_HISTORY=read\.$/,
      );
  });
});
