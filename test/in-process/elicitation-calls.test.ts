import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnswerJson } from '../kit/answer-json.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';
import { accept, formCapability, seatPerson, settledInputs, type ShownForm } from '../kit/person.js';

async function start(
  { server, sandbox }: InProcessScene,
  prompt: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { json } = await server.call('claude_code', { prompt, cwd: sandbox.project, ...args });
  return json.sessionId;
}

function files({ sandbox }: InProcessScene): string[] {
  return readdirSync(sandbox.project).toSorted();
}

/** The file that the form is about. */
function touched({ message }: ShownForm): string {
  return /touch (\w+)/.exec(message)?.[1] ?? '';
}

const answeredByPerson = [{ decision: 'allow', answeredBy: 'elicitation' }];

describe.each(['modern', 'legacy'] as const)('every call that waits asks the person, %s era', (era) => {
  const ask = { era, capabilities: formCapability };

  it('claude_code_reply', async () => {
    const scene = await startInProcess(ask);
    const { server, model } = scene;
    model.when('make one', [tool('Bash', { command: 'touch one' }), text('made')]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));
    const sessionId = await start(scene, 'hello', { waitMs: 20_000 });

    const done = await server.call('claude_code_reply', { sessionId, prompt: 'make one', waitMs: 20_000 });

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: answeredByPerson,
      result: { result: 'made', turn: 2 },
    });
    expect(person.forms.map(touched)).toEqual(['one']);
    expect(files(scene)).toEqual(['one']);
    expect(model.requests(sessionId).filter(({ promptText }) => promptText === 'make one')).toHaveLength(2);
  });

  it('claude_code_reply with a fork, of which there is one', async () => {
    const scene = await startInProcess(ask);
    const { server, model } = scene;
    model.when('make one', [tool('Bash', { command: 'touch one' }), text('made')]);
    seatPerson(server, () => accept({ decision: 'allow' }));
    const sessionId = await start(scene, 'hello', { waitMs: 20_000 });

    const done = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'make one',
      forkSession: true,
      waitMs: 20_000,
    });
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'made' } });
    expect(list.json.sessions?.map((session) => session.sessionId).toSorted()).toEqual(
      [sessionId, done.json.sessionId].toSorted(),
    );
    expect(files(scene)).toEqual(['one']);
  });

  it.each([
    ['without a cursor', () => ({})],
    ['with a cursor', (cursor: number | string) => ({ cursor })],
  ])('claude_code_check %s', async (_name, argsFor) => {
    const scene = await startInProcess(ask);
    const { server, model } = scene;
    const held = createGate();
    model.when('make two', [
      gate(held, tool('Bash', { command: 'touch one' })),
      tool('Bash', { command: 'touch two' }),
      text('made'),
    ]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));
    const sessionId = await start(scene, 'make two');
    await held.reached;
    const before = await server.call('claude_code_check', { sessionId, waitMs: 0 });

    const checked = server.call('claude_code_check', {
      sessionId,
      waitMs: 20_000,
      ...argsFor(before.json.cursor),
    });
    held.open();
    const done = await checked;

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: [...answeredByPerson, ...answeredByPerson],
      result: { result: 'made' },
    });
    expect(person.forms.map(touched)).toEqual(['one', 'two']);
    expect(files(scene)).toEqual(['one', 'two']);
  });

  it('claude_code_check of several, until all are done', async () => {
    const scene = await startInProcess(ask);
    const { server, model } = scene;
    model.when('make one', [tool('Bash', { command: 'touch one' }), text('made one')]);
    model.when('make two', [tool('Bash', { command: 'touch two' }), text('made two')]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));
    const sessionIds = await Promise.all([start(scene, 'make one'), start(scene, 'make two')]);

    const all = await server.call('claude_code_check', { sessionIds, waitFor: 'all', waitMs: 20_000 });

    expect(all.json.sessions).toMatchObject([
      { status: 'idle', answered: answeredByPerson, result: { result: 'made one' } },
      { status: 'idle', answered: answeredByPerson, result: { result: 'made two' } },
    ]);
    expect(person.forms.map(touched).toSorted()).toEqual(['one', 'two']);
  });

  it('claude_code_check of several, until any has news', async () => {
    const scene = await startInProcess(ask);
    const { server, model } = scene;
    const held = createGate();
    model.when('hold', [gate(held, text('released'))]);
    model.when('make one', [tool('Bash', { command: 'touch one' }), text('made one')]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));
    const busy = await start(scene, 'hold');
    const asking = await start(scene, 'make one');

    const any = await server.call('claude_code_check', {
      sessionIds: [busy, asking],
      waitFor: 'any',
      waitMs: 20_000,
    });
    held.open();
    await server.call('claude_code_check', { sessionId: busy });

    expect(any.json.sessions).toMatchObject([
      { status: 'running' },
      { status: 'idle', answered: answeredByPerson, result: { result: 'made one' } },
    ]);
    expect(person.forms.map(touched)).toEqual(['one']);
  });

  it('claude_code_respond, when the next request follows', async () => {
    const scene = await startInProcess(ask);
    const { server, model } = scene;
    model.when('make two', [
      tool('Bash', { command: 'touch one' }),
      tool('Bash', { command: 'touch two' }),
      text('made'),
    ]);
    const person = seatPerson(server, (form) =>
      touched(form) === 'one' ? { action: 'cancel' } : accept({ decision: 'allow' }),
    );
    const sessionId = await start(scene, 'make two', { waitMs: 20_000 });
    const asked = await server.call('claude_code_check', { sessionId, waitMs: 0 });

    const done = await server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: answeredByPerson,
      result: { result: 'made' },
    });
    expect(person.forms.map(touched)).toEqual(['one', 'two']);
    expect(files(scene)).toEqual(['one', 'two']);
    expect(settledInputs(server).map(({ answeredBy }) => answeredBy)).toEqual(['caller', 'elicitation']);
  });

  it('claude_code_check with action poll, and with action respond_permission', async () => {
    const scene = await startInProcess({ ...ask, env: { CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' } });
    const { server, model } = scene;
    model.when('make three', [
      tool('Bash', { command: 'touch one' }),
      tool('Bash', { command: 'touch two' }),
      text('made'),
    ]);
    const person = seatPerson(server, (form) =>
      touched(form) === 'one' ? { action: 'cancel' } : accept({ decision: 'allow' }),
    );
    const sessionId = await start(scene, 'make three');

    const polled = await server.call('claude_code_check', {
      action: 'poll',
      sessionId,
      pollOptions: { waitMs: 20_000 },
    });
    const formsWhilePolling = person.forms.map(touched);
    const done = await server.call('claude_code_check', {
      action: 'respond_permission',
      sessionId,
      requestId: polled.json.actions?.[0]?.requestId,
      decision: 'allow',
      pollOptions: { waitMs: 20_000 },
    });

    expect(polled.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(formsWhilePolling).toEqual(['one']);
    expect(done.json).toMatchObject({
      status: 'idle',
      answered: answeredByPerson,
      result: { result: 'made' },
    });
    expect(person.forms.map(touched)).toEqual(['one', 'two']);
  });

  it('claude_code_check with action poll, until the result', async () => {
    const scene = await startInProcess({ ...ask, env: { CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' } });
    const { server, model } = scene;
    model.when('make one', [tool('Bash', { command: 'touch one' }), text('made')]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));
    const sessionId = await start(scene, 'make one');

    const done = await server.call('claude_code_check', {
      action: 'poll',
      sessionId,
      pollOptions: { waitMs: 20_000 },
    });

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: answeredByPerson,
      result: { result: 'made' },
    });
    expect(person.forms.map(touched)).toEqual(['one']);
  });
});

describe.each(['modern', 'legacy'] as const)(
  'a call whose time is over before the person answers, %s era',
  (era) => {
    it('is not prolonged by the form, and the answer counts all the same', async () => {
      const scene = await startInProcess({ era, capabilities: formCapability });
      const { server, model, clock } = scene;
      const [late, held] = [createGate(), createGate()];
      model.when('make one', [tool('Bash', { command: 'touch one' }), gate(held, text('made'))]);
      const person = seatPerson(
        server,
        async () => {
          await late.opened;
          return accept({ decision: 'allow' });
        },
        0,
      );
      const sessionId = await start(scene, 'make one');

      const check = server.call('claude_code_check', { sessionId, waitMs: 2_000 });
      await person.form(0);
      if (era === 'legacy') await clock.pass(2_000);
      else clock.advance(2_000);
      // In the modern era the call cannot return before its form does.
      if (era === 'modern') late.open();
      const checked = await check;
      late.open();
      await held.reached;
      held.open();
      const done = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

      expect(checked.json.status).toBe(era === 'modern' ? 'running' : 'waiting');
      expect(done.json).toMatchObject({
        status: 'idle',
        answered: answeredByPerson,
        result: { result: 'made' },
      });
      expect(person.forms.map(touched)).toEqual(['one']);
      expect(files(scene)).toEqual(['one']);
    });
  },
);

describe('a call that does not wait', () => {
  /** Asks again and again: only a call that waits is told, and that one would show the form. */
  async function untilWaiting({ server }: InProcessScene, sessionId: string): Promise<AnswerJson> {
    return until('it waits', async () => {
      const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
      return json.status === 'waiting' && json;
    });
  }

  it('shows no form in the modern era, and the next one that waits does', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: formCapability });
    const { server, model } = scene;
    model.when('make one', [tool('Bash', { command: 'touch one' }), text('made')]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const sessionId = await start(scene, 'make one');
    const asked = await untilWaiting(scene, sessionId);
    const formsWithoutWaiting = person.forms.length;
    const done = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(asked).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(formsWithoutWaiting).toBe(0);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'made' } });
    expect(person.forms.map(touched)).toEqual(['one']);
  });
});

describe('twelve requests in one call that waits', () => {
  const names = 'abcdefghijkl'.split('');

  function scriptTwelve({ model }: InProcessScene): void {
    model.when('make them', [
      ...names.map((name) => tool('Bash', { command: `touch ${name}` })),
      text('all made'),
    ]);
  }

  it('end in a snapshot after eight forms, and the session goes on, modern era', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: formCapability });
    const { server, sandbox } = scene;
    scriptTwelve(scene);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const asked = await server.call('claude_code', {
      prompt: 'make them',
      cwd: sandbox.project,
      waitMs: 30_000,
    });
    const formsInFirstCall = person.forms.length;
    const { sessionId } = asked.json;
    const done = await server.call('claude_code_check', { sessionId, waitMs: 30_000 });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ input: { command: 'touch i' } }] });
    expect(formsInFirstCall).toBe(8);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'all made' } });
    expect(person.forms.map(touched)).toEqual(names);
    expect(files(scene)).toEqual(names);
  });

  it('reach the result, legacy era', async () => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    scriptTwelve(scene);
    const person = seatPerson(scene.server, () => accept({ decision: 'allow' }));

    const done = await scene.server.call('claude_code', {
      prompt: 'make them',
      cwd: scene.sandbox.project,
      waitMs: 30_000,
    });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'all made' } });
    expect(person.forms.map(touched)).toEqual(names);
    expect(files(scene)).toEqual(names);
  });
});
