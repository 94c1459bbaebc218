import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBareSession } from '../kit/bare-session.js';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';

/** Which of these words the last request of the session has in its system prompt. */
function wordsIn({ model }: Pick<Scene, 'model'>, sessionId: string, words: readonly string[]): string[] {
  const system = JSON.stringify(model.requests(sessionId).at(-1)?.body.system);
  return words.filter((word) => system.includes(word));
}

it('a session that this server did not start keeps its system prompt, except while a reply sets another', async () => {
  const { model, sandbox } = await startBackstage();
  const foreign = startBareSession({
    cwd: sandbox.project,
    env: sandbox.env(model),
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Speak like a heron.' },
  });
  const { session_id: sessionId } = await foreign.turn('hello');
  foreign.end();
  await foreign.ended;
  const env = { CLAUDE_CODE_MCP_HISTORY: 'resume' };
  const server = await connectServer({ sandbox, model, era: 'modern', env });
  const seen: string[][] = [];

  for (const diskResumeConfig of [{}, { systemPrompt: 'You are an owl.' }, { systemPrompt: null }]) {
    await server.call('claude_code_reply', { sessionId, prompt: 'go on', diskResumeConfig, waitMs: 20_000 });
    seen.push(wordsIn({ model }, sessionId, ['heron', 'owl']));
  }
  await server.close();

  expect(seen).toEqual([['heron'], ['owl'], ['heron']]);
});

it('the note about an untrusted folder is gone once the folder is trusted', async () => {
  const scene = await startScene({ era: 'modern' });
  const { server, sandbox } = scene;
  writeFileSync(join(sandbox.project, 'CLAUDE.md'), 'Speak like a heron.');
  const started = await server.call('claude_code', { prompt: 'hello', waitMs: 20_000 });
  const { sessionId } = started.json;
  const before = wordsIn(scene, sessionId, ['was not loaded']);

  sandbox.trustFolder(sandbox.project);
  await server.call('claude_code_reply', {
    sessionId,
    prompt: 'go on',
    diskResumeConfig: { effort: 'low' },
    waitMs: 20_000,
  });

  expect([before, wordsIn(scene, sessionId, ['was not loaded'])]).toEqual([['was not loaded'], []]);
});

it('a session keeps its last model when the option is unset', async () => {
  const { server, model } = await startScene({ era: 'modern' });
  const started = await server.call('claude_code', {
    prompt: 'hello',
    model: 'claude-opus-4-5',
    waitMs: 20_000,
  });
  const { sessionId } = started.json;

  await server.call('claude_code_reply', {
    sessionId,
    prompt: 'go on',
    diskResumeConfig: { model: null },
    waitMs: 20_000,
  });

  expect(model.requests(sessionId).map(({ body }) => body.model)).toEqual([
    'claude-opus-4-5',
    'claude-opus-4-5',
  ]);
});
