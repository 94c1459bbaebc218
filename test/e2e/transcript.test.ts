import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareSession } from '../kit/bare-session.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

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

const ask = ({ server }: Scene, sessionId: string, args: Record<string, unknown> = {}) =>
  server.call('claude_code_session', { action: 'transcript', sessionId, ...args });

async function page(scene: Scene, sessionId: string, args: Record<string, unknown> = {}): Promise<PageJson> {
  const { json } = await ask(scene, sessionId, args);
  return json as unknown as PageJson;
}

/** A conversation that somebody else has had in this folder. */
async function foreignSession({ sandbox, model }: Scene, cwd: string): Promise<string> {
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
      nextOffset: 2,
      total: 6,
      messages: [{ text: 'ok' }, { text: 'and then?' }],
    });
    expect(before.messages).toMatchObject([{ text: 'looked' }, { text: 'seen' }]);

    const resumeSessionAt = oldest.messages[3]?.uuid;
    await server.call('claude_code_reply', {
      sessionId,
      prompt: 'again',
      diskResumeConfig: { resumeSessionAt },
      waitMs: 20_000,
    });
    const lastRequest = JSON.stringify(model.requests(sessionId).at(-1)?.body);
    expect(lastRequest).toContain('looked');
    expect(lastRequest).not.toContain('and then?');
  });

  it('shows no secret of the server, also where the text is cut', async () => {
    const secret = 'sk-planted-0123456789abcdefghij';
    const scene = await startScene({ era: 'modern', env: { PLANTED_TOKEN: secret } });
    const { server, sandbox } = scene;
    const prompt = `${'x'.repeat(3_990)}${secret}${'y'.repeat(4_000)}`;
    const { json } = await server.call('claude_code', { prompt, cwd: sandbox.project, waitMs: 20_000 });

    const { text: shown } = await ask(scene, json.sessionId);

    expect(shown.length).toBeLessThanOrEqual(7_500);
    expect(shown).not.toContain('sk-planted');
  });

  it.each(['off', 'list', 'resume'])('of a foreign session is refused with HISTORY=%s', async (history) => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_HISTORY: history } });
    const sessionId = await foreignSession(scene, scene.sandbox.project);

    const refused = await ask(scene, sessionId);

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_HISTORY=read/);
  });

  it('of a foreign session stays refused after a reply has taken it over', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await foreignSession(scene, scene.sandbox.project);
    await scene.server.call('claude_code_reply', { sessionId, prompt: 'hello', waitMs: 20_000 });

    const refused = await ask(scene, sessionId);

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]/);
  });

  it('of a foreign session is read where the operator allows it, within the roots', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_HISTORY: 'read' } });
    const sessionId = await foreignSession(scene, scene.sandbox.project);

    const read = await page(scene, sessionId);

    expect(read.messages).toMatchObject([{ text: 'ok' }, { text: 'between you and me' }]);
  });

  it('of a foreign session outside the roots is refused', async () => {
    const scene = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_HISTORY: 'read' },
      args: ['--roots', '/nowhere/at/all'],
    });
    const elsewhere = join(scene.sandbox.project, 'elsewhere');
    mkdirSync(elsewhere);
    const sessionId = await foreignSession(scene, elsewhere);

    const refused = await ask(scene, sessionId);

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_HISTORY/);
  });
});
