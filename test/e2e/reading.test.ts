/** Reading to the end what an answer shows in part, on the transcripts and records that the real Claude Code leaves. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareSession } from '../kit/bare-session.js';
import { restart, startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import type { ServerClient } from '../kit/server-client.js';

type Json = Readonly<Record<string, unknown>>;

const env = { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions,query' };
const long = 'const path = "C:\\\\temp"; // é 漢 😀\n'.repeat(2_000).trim();

async function call(server: ServerClient, name: string, args: Json): Promise<Json> {
  return (await server.call(name, args)).json as unknown as Json;
}

async function readAll(server: ServerClient, name: string, args: Json): Promise<string> {
  let whole = '';
  let resultOffset: unknown = 0;
  while (resultOffset !== undefined) {
    const page = await call(server, name, { ...args, resultOffset });
    whole += String(page['text']);
    resultOffset = page['nextOffset'];
  }
  return whole;
}

describe('what an answer shows in part', () => {
  it('is read to the end: the result and messages of a query, and the result after a restart', async () => {
    const before = await startScene({ era: 'modern', env });
    const { model, sandbox } = before;
    const file = join(sandbox.project, 'a.txt');
    model.when('work', [tool('Write', { file_path: file, content: long }), text(long)]);

    const answer = await call(before.server, 'claude_code_query', {
      prompt: 'work',
      cwd: sandbox.project,
      permissionMode: 'acceptEdits',
    });
    const { sessionId } = answer;
    const result = await readAll(before.server, 'claude_code_query', { sessionId });
    const { messages } = await call(before.server, 'claude_code_query', { sessionId, messageOffset: 0 });
    const messageId = (messages as Json[]).find(({ tools }) => tools !== undefined)?.['uuid'];
    const message = await readAll(before.server, 'claude_code_query', { sessionId, messageId });
    const { server } = await restart(before, { era: 'modern', env });
    const again = await readAll(server, 'claude_code_check', { sessionId });
    const status = await call(server, 'claude_get_status', { sessionId });

    expect(answer['result']).toMatchObject({
      success: true,
      readMore: expect.stringContaining('resultOffset'),
    });
    expect(result).toBe(long);
    expect(JSON.parse(message.replace(/^Write /, ''))).toMatchObject({ content: long });
    expect((answer['messages'] as Json[]).map(({ uuid }) => uuid)).toContain(
      (messages as Json[]).findLast(({ role }) => role === 'assistant')?.['uuid'],
    );
    expect(again).toBe(long);
    expect(status).toMatchObject({ status: 'completed', readMore: expect.any(String) });
    expect(model.requests()).toHaveLength(2);
  });
});

describe('a session that someone started without this server', () => {
  it('is read with claude_get_status, and costs no turn', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      env: { ...env, CLAUDE_CODE_MCP_HISTORY: 'read' },
    });
    model.when('remember', [text('I remember the heron.')]);
    const session = startBareSession({
      cwd: sandbox.project,
      env: sandbox.env(model),
      permissionMode: 'acceptEdits',
    });
    const { session_id: sessionId } = await session.turn('remember the word heron');
    session.end();
    await session.ended;
    const requests = model.requests().length;

    const status = await call(server, 'claude_get_status', { sessionId });

    expect(status).toMatchObject({ status: 'completed', result: 'I remember the heron.' });
    expect(model.requests()).toHaveLength(requests);
  });
});
