import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { accept, formCapability, HUMAN_NO_MS } from '../kit/person.js';
import { answerOf, formOf, personThinks, retryWith, type ToolCall } from '../kit/rounds.js';

const allow = accept({ decision: 'allow' });

function startModern(): Promise<InProcessScene> {
  return startInProcess({ era: 'modern', capabilities: formCapability });
}

function startCall({ sandbox }: InProcessScene, args: Record<string, unknown> = {}): ToolCall {
  return { name: 'claude_code', args: { prompt: 'append', cwd: sandbox.project, waitMs: 20_000, ...args } };
}

/** Every command that the session was allowed to run has written a line. */
function linesIn({ sandbox }: InProcessScene): string {
  const path = join(sandbox.project, 'a.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The session that the only open request belongs to, without asking anybody. */
async function openRequest({ server }: InProcessScene): Promise<{ sessionId: string; requestId: string }> {
  const list = await server.call('claude_code_session', { action: 'list' });
  const sessionId = list.json.sessions?.[0]?.sessionId ?? '';
  const seen = await server.call('claude_code_check', { sessionId, waitMs: 0 });
  return { sessionId, requestId: seen.json.actions?.[0]?.requestId ?? '' };
}

async function sessionCount({ server }: InProcessScene): Promise<number | undefined> {
  const list = await server.call('claude_code_session', { action: 'list' });
  return list.json.sessions?.length;
}

describe('a call that comes back with the answer of a person', () => {
  it('goes on with the session it started, and starts no other', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done.')]);
    const call = startCall(scene);

    const { state } = await formOf(server, call);
    await personThinks(server);
    const done = await answerOf(server, call, retryWith(state, allow));

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.', turn: 1 } });
    expect(linesIn(scene)).toBe('one\n');
    expect(await sessionCount(scene)).toBe(1);
    expect(model.requests().map(({ promptText, occurrence }) => [promptText, occurrence])).toEqual([
      ['append', 1],
      ['append', 1],
    ]);
  });

  it('is the same call with its arguments in another order', async () => {
    const scene = await startModern();
    const { server, model, sandbox } = scene;
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done.')]);
    const advanced = { sessionInitTimeoutMs: 30_000, timeoutMs: 60_000 };
    const turned = { timeoutMs: 60_000, sessionInitTimeoutMs: 30_000 };

    const { state } = await formOf(server, startCall(scene, { advanced }));
    await personThinks(server);
    const done = await answerOf(
      server,
      {
        name: 'claude_code',
        args: { advanced: turned, waitMs: 20_000, cwd: sandbox.project, prompt: 'append' },
      },
      retryWith(state, allow),
    );

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(linesIn(scene)).toBe('one\n');
  });

  it('denies when the person declines', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done without.')]);
    const call = startCall(scene);

    const { state } = await formOf(server, call);
    await personThinks(server, HUMAN_NO_MS);
    const done = await answerOf(server, call, retryWith(state, { action: 'decline' }));

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done without.' } });
    expect(JSON.stringify(model.requests().at(-1)?.body)).toContain('A person denied this.');
    expect(linesIn(scene)).toBe('');
  });

  it('settles nothing when it carries no answer: nobody was there, and the caller can still answer', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done.')]);
    const call = startCall(scene);

    const { state } = await formOf(server, call);
    await personThinks(server);
    const open = await answerOf(server, call, { requestState: state });
    const late = await answerOf(server, call, retryWith(state, allow));
    const linesBefore = linesIn(scene);
    const requestId = open.json.actions?.[0]?.requestId;
    const answered = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(open.json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Bash', accepts: ['allow', 'allow_for_session', 'deny'] }],
    });
    expect(late.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(linesBefore).toBe('');
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(await sessionCount(scene)).toBe(1);
  });

  it('does not answer a second time what it has answered: a retried respond', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [
      tool('Bash', { command: 'echo one >> a.txt' }),
      tool('Bash', { command: 'echo two >> a.txt' }),
      text('Done.'),
    ]);
    await formOf(server, startCall(scene));
    const { requestId } = await openRequest(scene);
    const call = { name: 'claude_code_respond', args: { requestId, decision: 'allow', waitMs: 20_000 } };

    const { message, state } = await formOf(server, call);
    await personThinks(server);
    const done = await answerOf(server, call, retryWith(state, allow));

    expect(message).toContain('> command: echo two >> a.txt');
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(linesIn(scene)).toBe('one\ntwo\n');
  });
});

describe('an answer that comes too late or a second time', () => {
  it('settles neither its own request again nor the one that is open now', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [
      tool('Bash', { command: 'echo one >> a.txt' }),
      tool('Bash', { command: 'echo two >> a.txt' }),
      text('Done.'),
    ]);
    const call = startCall(scene);

    const first = await formOf(server, call);
    await personThinks(server);
    const second = await formOf(server, call, retryWith(first.state, allow));
    const replayed = await answerOf(server, call, retryWith(first.state, allow));
    const linesBefore = linesIn(scene);
    await personThinks(server);
    const done = await answerOf(server, call, retryWith(second.state, allow));
    const replayedAtTheEnd = await answerOf(
      server,
      call,
      retryWith(second.state, accept({ decision: 'deny' })),
    );

    expect(replayed.json).toMatchObject({
      status: 'waiting',
      actions: [{ input: { command: 'echo two >> a.txt' } }],
    });
    expect(linesBefore).toBe('one\n');
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(replayedAtTheEnd.json).toMatchObject({ status: 'idle', result: { result: 'Done.', turn: 1 } });
    expect(linesIn(scene)).toBe('one\ntwo\n');
    expect(await sessionCount(scene)).toBe(1);
  });

  it('settles nothing after the caller has denied', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done without.')]);
    const call = startCall(scene);

    const { state } = await formOf(server, call);
    const { sessionId, requestId } = await openRequest(scene);
    await server.call('claude_code_respond', { requestId, decision: 'deny', message: 'the caller says no' });
    await personThinks(server);
    const late = await answerOf(server, call, retryWith(state, allow));
    const events = await server.call('claude_code_check', {
      sessionId,
      cursor: 0,
      include: ['events'],
      waitMs: 0,
    });

    expect(late.json).toMatchObject({ sessionId, status: 'idle', result: { result: 'Done without.' } });
    expect(events.json.events?.filter(({ type }) => type === 'input_resolved')).toMatchObject([
      { answeredBy: 'caller' },
    ]);
    expect(linesIn(scene)).toBe('');
  });

  it('settles nothing after the deadline of the request', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done without.')]);
    const call = startCall(scene, { permissionRequestTimeoutMs: 1_000 });

    const { state } = await formOf(server, call);
    await scene.clock.pass(1_000);
    const denied = await model.request(({ body }) => JSON.stringify(body).includes('nobody answered within'));
    const late = await answerOf(server, call, retryWith(state, allow));
    const events = await server.call('claude_code_check', {
      sessionId: late.json.sessionId,
      cursor: 0,
      include: ['events'],
      waitMs: 0,
    });

    expect(late.json).toMatchObject({
      sessionId: denied.sessionId,
      status: 'idle',
      result: { result: 'Done without.' },
    });
    expect(events.json.events?.filter(({ type }) => type === 'input_resolved')).toMatchObject([
      { answeredBy: 'timeout' },
    ]);
    expect(linesIn(scene)).toBe('');
  });
});

describe('the limits of a call', () => {
  it('include its own wait, which no round renews, while the tool runs all the same', async () => {
    const scene = await startModern();
    const { server, model, sandbox } = scene;
    const held = createGate();
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), gate(held, text('Done.'))]);
    const warm = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId } = warm.json;
    const call = { name: 'claude_code_reply', args: { sessionId, prompt: 'append', waitMs: 1_500 } };

    const { state } = await formOf(server, call);
    await personThinks(server, 1_500);
    const over = await answerOf(server, call, retryWith(state, allow));
    await held.reached;
    const linesAfter = linesIn(scene);
    held.open();
    const done = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(over.json).toMatchObject({ sessionId, status: 'running' });
    expect(linesAfter).toBe('one\n');
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.', turn: 2 } });
    expect(model.requests(sessionId).filter(({ promptText }) => promptText === 'append')).toHaveLength(2);
  });

  it('include eight rounds, after which it tells what is open, and another call can ask', async () => {
    const scene = await startModern();
    const { server, model } = scene;
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    model.when('append', [
      ...numbers.map((number) => tool('Bash', { command: `echo ${number} >> a.txt` })),
      text('Done.'),
    ]);
    const call = startCall(scene);

    const messages: string[] = [];
    let form = await formOf(server, call);
    for (let round = 1; round < 8; round += 1) {
      messages.push(form.message);
      await personThinks(server);
      form = await formOf(server, call, retryWith(form.state, allow));
    }
    messages.push(form.message);
    await personThinks(server);
    const snapshot = await answerOf(server, call, retryWith(form.state, allow));
    const next = await formOf(server, {
      name: 'claude_code_check',
      args: { sessionId: snapshot.json.sessionId },
    });

    expect(messages.map((message) => /> command: echo (\d)/.exec(message)?.[1])).toEqual(
      numbers.slice(0, 8).map(String),
    );
    expect(snapshot.json).toMatchObject({
      status: 'waiting',
      actions: [{ input: { command: 'echo 9 >> a.txt' } }],
    });
    expect(linesIn(scene)).toBe('1\n2\n3\n4\n5\n6\n7\n8\n');
    expect(next.message).toContain('> command: echo 9 >> a.txt');
  });
});
