/** Clients that send more than they read. */
import { expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text } from '../kit/model-steps.js';

const calls = 1_000;

it('a flood of calls is answered completely, and a session works meanwhile', async () => {
  const { server, model, sandbox } = await startScene({ era: 'modern' });
  model.when('hello', [text('Hello.')]);

  const session = server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 30_000 });
  const flood = await Promise.all(
    Array.from({ length: calls }, () => server.call('claude_code_session', { action: 'list' })),
  );

  expect(flood.filter(({ isError }) => isError)).toEqual([]);
  expect((await session).json).toMatchObject({ status: 'idle', result: { result: 'Hello.' } });
});

it('a client that stops reading delays no session, and reads every answer later', async () => {
  const { server, model, sandbox } = await startScene({ era: 'modern' });
  model.when('hello', [text('Hello.')]);
  model.when('again', [text('Again.')]);
  const { json } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 30_000,
  });
  const { sessionId } = json;

  const readOn = server.holdReading();
  const answers = Array.from({ length: calls }, () => server.call('claude_code_session', { action: 'list' }));
  const reply = server.call('claude_code_reply', { sessionId, prompt: 'again', waitMs: 30_000 });
  await model.request(({ promptText }) => promptText.includes('again'));
  readOn();

  expect((await Promise.all(answers)).filter(({ isError }) => isError)).toEqual([]);
  expect((await reply).json).toMatchObject({ status: 'idle', result: { result: 'Again.' } });
});
