/** Clients that start a server for every call, and two servers that take turns with a session. */
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text } from '../kit/model-steps.js';
import { connectServer, type ServerClient } from '../kit/server-client.js';

async function stage() {
  const { model, sandbox } = await startBackstage();
  const connect = async (): Promise<ServerClient> => {
    const server = await connectServer({ era: 'modern', model, sandbox });
    onTestFinished(() => server.close());
    return server;
  };
  /** What such a client does: connect, call, close. */
  const call: ServerClient['call'] = async (...call) => {
    const server = await connect();
    const reply = await server.call(...call);
    await server.close();
    return reply;
  };
  return { model, sandbox, connect, call };
}

it('a whole task works with a new server for every call', async () => {
  const { model, sandbox, call } = await stage();
  const held = createGate();
  model.when('first', [text('One.')]);
  model.when('second', [text('Two.')]);
  model.when('third', [gate(held, text('Three.'))]);
  const waitMs = 20_000;

  const started = await call('claude_code', { prompt: 'first', cwd: sandbox.project, waitMs });
  const { sessionId } = started.json;
  const replied = await call('claude_code_reply', { sessionId, prompt: 'second', waitMs });
  const listed = await call('claude_code_session', { action: 'list' });
  const got = await call('claude_code_session', { action: 'get', sessionId });
  await call('claude_code_reply', { sessionId, prompt: 'third' });
  held.open();
  const cut = await call('claude_code_check', { sessionId });
  const resumed = await call('claude_code_reply', { sessionId, resumeInterrupted: true, waitMs });

  expect(started.json).toMatchObject({ status: 'idle', result: { result: 'One.', turn: 1 } });
  expect(replied.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
  expect(listed.json.sessions).toMatchObject([{ sessionId, status: 'idle', turn: 2 }]);
  expect(got.json).toMatchObject({ status: 'idle', result: { result: 'Two.' }, turn: 2 });
  expect(cut.json).toMatchObject({
    status: 'error',
    result: { outcome: 'failed', errorSubtype: 'server_restarted' },
  });
  expect(resumed.json).toMatchObject({ status: 'idle', result: { result: 'Three.' } });
});

it('a session whose process rests in one server continues in another', async () => {
  const { model, sandbox, connect } = await stage();
  model.when('first', [text('One.')]);
  model.when('second', [text('Two.')]);
  model.when('third', [text('Three.')]);
  const [here, there] = [await connect(), await connect()];
  const waitMs = 20_000;

  const { json } = await here.call('claude_code', { prompt: 'first', cwd: sandbox.project, waitMs });
  const { sessionId } = json;
  const continued = await there.call('claude_code_reply', { sessionId, prompt: 'second', waitMs });
  const back = await here.call('claude_code_reply', { sessionId, prompt: 'third', waitMs });

  expect(continued.json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
  expect(back.json).toMatchObject({ status: 'idle', result: { result: 'Three.', turn: 3 } });
  expect(JSON.stringify(model.requests(sessionId).at(-1)?.body)).toMatch(/first.*second.*third/);
});
