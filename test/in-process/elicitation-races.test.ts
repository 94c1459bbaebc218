import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { deferred } from '../kit/deferred.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { text, tool, tools } from '../kit/model-steps.js';
import {
  accept,
  formCapability,
  neverAnswer,
  seatPerson,
  settledInputs,
  type ShownForm,
} from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';
import { until } from '../kit/until.js';

async function startTouching(
  { server, model, sandbox }: InProcessScene,
  args: Record<string, unknown> = {},
  options: Parameters<typeof server.call>[2] = {},
): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }, { id: 'toolu_touch' }), text('Done.')]);
  return server.call(
    'claude_code',
    { prompt: 'touch it', cwd: sandbox.project, waitMs: 20_000, ...args },
    options,
  );
}

function isTouched({ sandbox }: InProcessScene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

/** The request that the only session has open. */
async function openRequest({ server }: InProcessScene): Promise<string | undefined> {
  const list = await server.call('claude_code_session', { action: 'list' });
  const sessionId = list.json.sessions?.[0]?.sessionId;
  const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
  return json.actions?.[0]?.requestId;
}

describe.each(['modern', 'legacy'] as const)('a person and a caller, %s era', (era) => {
  it('who answer the same request: the caller is first, and the form settles nothing', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server } = scene;
    const late = createGate();
    const person = seatPerson(server, async () => {
      await late.opened;
      return accept({ decision: 'deny' });
    });

    const call = startTouching(scene);
    await person.form(0);
    const requestId = await openRequest(scene);
    const responded = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    late.open();
    const told = await call;

    expect(responded.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(told.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(settledInputs(server)).toMatchObject([{ requestId, decision: 'allow', answeredBy: 'caller' }]);
    expect(isTouched(scene)).toBe(true);
  });

  it('who answer the same request: the person is first, and the caller is told', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server } = scene;
    seatPerson(server, () => accept({ decision: 'deny' }));

    await startTouching(scene);
    const requestId = settledInputs(server)[0]?.requestId;
    const late = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(late.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: request .* is already settled \(decision: deny, answered by: elicitation\)/,
    );
    expect(isTouched(scene)).toBe(false);
  });
});

describe('a form of the legacy era', () => {
  it('is taken away when the caller answers first', async () => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    const { server } = scene;
    const person = seatPerson(server, neverAnswer);

    await startTouching(scene, { waitMs: 0 });
    const form = await person.form(0);
    const wasThere = !form.signal.aborted;
    const requestId = await openRequest(scene);
    const done = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(wasThere).toBe(true);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    await until('the form is taken away', () => form.signal.aborted);
    expect(settledInputs(server)).toMatchObject([{ answeredBy: 'caller' }]);
  });

  it('appears and is answered while no call is in flight', async () => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    const { server, model } = scene;
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const started = await startTouching(scene, { waitMs: 0 });
    await model.request((request) => toolResultText(request, 'toolu_touch') !== undefined);
    const touchedUnwatched = isTouched(scene);
    const done = await server.call('claude_code_check', { sessionId: started.json.sessionId });

    expect(touchedUnwatched).toBe(true);
    expect(person.forms).toHaveLength(1);
    expect(done.json).toMatchObject({
      status: 'idle',
      answered: [{ decision: 'allow', answeredBy: 'elicitation' }],
      result: { result: 'Done.' },
    });
  });

  it('does not end the wait of a caller, who hears meanwhile that somebody is being asked', async () => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    const heartbeat = deferred<string | undefined>();
    const person = seatPerson(scene.server, async () => {
      await heartbeat.promise;
      return accept({ decision: 'allow' });
    });

    const call = startTouching(
      scene,
      { title: 'a slow person' },
      { onprogress: ({ message }) => heartbeat.resolve(message) },
    );
    await person.form(0);
    scene.clock.advance(5_000);
    const done = await call;

    expect(await heartbeat.promise).toBe('"a slow person": waiting for an answer to Bash');
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });
});

describe('three requests that are open at once', () => {
  const names = ['a.txt', 'b.txt', 'c.txt'] as const;
  type Name = (typeof names)[number];

  function nameIn({ message }: ShownForm): Name {
    const found = names.find((name) => message.includes(name));
    if (found === undefined) throw new Error(`no file is named: ${message}`);
    return found;
  }

  /** Reads outside the session's folder are asked, and Claude Code makes them side by side. */
  async function startReading({
    server,
    model,
    sandbox,
  }: InProcessScene): Promise<Awaited<ReturnType<typeof server.call>>> {
    for (const name of names) writeFileSync(join(sandbox.root, name), `text of ${name}`);
    const read = (name: Name): ReturnType<typeof tool> =>
      tool('Read', { file_path: join(sandbox.root, name) }, { id: `toolu_${name}` });
    model.when('read them', [tools(names.map(read)), text('Read.')]);
    return server.call('claude_code', { prompt: 'read them', cwd: sandbox.project, waitMs: 20_000 });
  }

  function told({ model }: InProcessScene, sessionId: string): (string | undefined)[] {
    const last = model.requests(sessionId).at(-1);
    return names.map((name) => last && toolResultText(last, `toolu_${name}`));
  }

  const expected = [
    expect.stringContaining('text of a.txt'),
    'A person denied this: not b',
    expect.stringContaining('text of c.txt'),
  ];
  const replies: Record<Name, ElicitResult> = {
    'a.txt': accept({ decision: 'allow' }),
    'b.txt': accept({ decision: 'deny', note: 'not b' }),
    'c.txt': accept({ decision: 'allow' }),
  };

  it.each([
    ['last', ['c.txt', 'b.txt', 'a.txt']],
    ['middle', ['b.txt', 'c.txt', 'a.txt']],
  ] as const)(
    'are in front of the person together, who may answer the %s first, legacy era',
    async (_name, order) => {
      const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
      const { server } = scene;
      const turns = { 'a.txt': createGate(), 'b.txt': createGate(), 'c.txt': createGate() };
      const person = seatPerson(server, async (form) => {
        const name = nameIn(form);
        await turns[name].opened;
        return replies[name];
      });

      const call = startReading(scene);
      await person.form(2);
      const settledAtFirst = settledInputs(server).length;
      for (const [index, name] of order.entries()) {
        turns[name].open();
        await until(`${name} is settled`, () => settledInputs(server).length === index + 1);
      }
      const done = await call;

      expect(settledAtFirst).toBe(0);
      expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Read.' } });
      expect(told(scene, done.json.sessionId)).toEqual(expected);
      expect(settledInputs(server).map(({ decision }) => decision)).toEqual(
        order.map((name) => (name === 'b.txt' ? 'deny' : 'allow')),
      );
      expect(person.forms).toHaveLength(3);
    },
  );

  it('are put before the person one after the other, modern era', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: formCapability });
    const person = seatPerson(scene.server, (form) => replies[nameIn(form)]);

    const done = await startReading(scene);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Read.' } });
    expect(told(scene, done.json.sessionId)).toEqual(expected);
    expect(person.forms.map(nameIn).toSorted()).toEqual([...names]);
  });
});
