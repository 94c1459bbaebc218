import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene, type InProcessOptions } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import {
  accept,
  formCapability,
  HUMAN_MS,
  HUMAN_NO_MS,
  neverAnswer,
  seatPerson,
  settledInputs,
} from '../kit/person.js';

const atOnce = 0;

async function startTouching(
  { server, model, sandbox }: InProcessScene,
  options: { signal?: AbortSignal } = {},
): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  return server.call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs: 20_000 }, options);
}

function isTouched({ sandbox }: InProcessScene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

/** The last value says whether a person may still be there, and be asked about the next call. */
const headless: [string, ElicitResult, number, boolean][] = [
  ['cancels at once', { action: 'cancel' }, atOnce, false],
  ['cancels after a while', { action: 'cancel' }, HUMAN_NO_MS, true],
  ['declines within a second', { action: 'decline' }, HUMAN_MS, false],
  ['accepts at once', accept({ decision: 'allow' }), atOnce, true],
  ['denies at once', accept({ decision: 'deny' }), atOnce, true],
];

describe.each(['modern', 'legacy'] as const)('a client without a person, %s era', (era) => {
  it.each(headless)(
    'that %s decides nothing, and is shown the form once',
    async (_name, reply, delayMs, mayBeThere) => {
      const scene = await startInProcess({ era, capabilities: formCapability });
      const { server } = scene;
      const person = seatPerson(server, () => reply, delayMs);

      const asked = await startTouching(scene);
      const { sessionId } = asked.json;
      const [settledByForm, touchedByForm] = [settledInputs(server), isTouched(scene)];
      const again = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });
      const requestId = again.json.actions?.[0]?.requestId;
      const done = await server.call('claude_code_respond', { requestId, decision: 'allow' });

      expect(settledByForm).toEqual([]);
      expect(touchedByForm).toBe(false);
      expect(asked.json).toMatchObject({
        status: 'waiting',
        actions: [
          {
            requestId,
            toolName: 'Bash',
            accepts: mayBeThere ? ['allow', 'deny'] : ['allow', 'allow_for_session', 'deny'],
          },
        ],
      });
      expect(again.json).toMatchObject({ status: 'waiting' });
      expect(person.forms).toHaveLength(1);
      expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
      expect(isTouched(scene)).toBe(true);
      expect(settledInputs(server)).toMatchObject([{ requestId, decision: 'allow', answeredBy: 'caller' }]);
    },
  );

  it('is shown one form for each request', async () => {
    const { server, model, sandbox } = await startInProcess({ era, capabilities: formCapability });
    model.when('touch both', [
      tool('Bash', { command: 'touch a.txt' }),
      tool('Bash', { command: 'touch b.txt' }),
      text('Both.'),
    ]);
    const person = seatPerson(server, () => ({ action: 'cancel' }), atOnce);

    const first = await server.call('claude_code', {
      prompt: 'touch both',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const second = await server.call('claude_code_respond', {
      requestId: first.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(second.json).toMatchObject({
      status: 'waiting',
      actions: [{ input: { command: 'touch b.txt' } }],
    });
    expect(person.forms.map(({ message }) => /touch \w\.txt/.exec(message)?.[0])).toEqual([
      'touch a.txt',
      'touch b.txt',
    ]);
  });
});

describe('a form that comes to nothing', () => {
  /** One session, once in the list, and what it asks for can still be answered. */
  async function expectOneAnswerable(scene: InProcessScene): Promise<void> {
    const { server } = scene;
    const list = await server.call('claude_code_session', { action: 'list' });
    const sessionId = list.json.sessions?.[0]?.sessionId;
    const asked = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    const requestId = asked.json.actions?.[0]?.requestId;
    const done = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(list.json.sessions).toMatchObject([{ sessionId, status: 'waiting' }]);
    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(settledInputs(server)).toMatchObject([{ requestId, answeredBy: 'caller' }]);
    expect(isTouched(scene)).toBe(true);
  }

  it('because the client cannot show it leaves the request open, modern era', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: formCapability });
    seatPerson(scene.server, () => Promise.reject(new Error('no screen')));

    const failed = await startTouching(scene).catch((error: unknown) => String(error));

    expect(failed).toContain('no screen');
    await expectOneAnswerable(scene);
  });

  it('because the client cannot show it is told to the caller that waits, legacy era', async () => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    const person = seatPerson(scene.server, () => Promise.reject(new Error('no screen')));

    const asked = await startTouching(scene);

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    await expectOneAnswerable(scene);
    expect(person.forms).toHaveLength(1);
  });

  it.each(['modern', 'legacy'] as const)(
    'because the caller gives up while it is shown leaves the request open, %s era',
    async (era) => {
      const scene = await startInProcess({ era, capabilities: formCapability });
      const person = seatPerson(scene.server, neverAnswer);
      const caller = new AbortController();

      const call = startTouching(scene, { signal: caller.signal }).catch(() => 'gave up');
      await person.form(0);
      caller.abort();

      expect(await call).toBe('gave up');
      await expectOneAnswerable(scene);
    },
  );

  it('is not shown again by the next call when its retry never comes', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: formCapability });
    const { server } = scene;
    const person = seatPerson(server, neverAnswer);
    const caller = new AbortController();
    const call = startTouching(scene, { signal: caller.signal }).catch(() => 'gave up');
    await person.form(0);
    caller.abort();
    await call;

    const list = await server.call('claude_code_session', { action: 'list' });
    const asked = await server.call('claude_code_check', {
      sessionId: list.json.sessions?.[0]?.sessionId,
      waitMs: 20_000,
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(person.forms).toHaveLength(1);
  });

  it('stays with the person when only the call is given up, legacy era', async () => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    const { server } = scene;
    const caller = new AbortController();
    const person = seatPerson(server, () => {
      caller.abort();
      return accept({ decision: 'allow' });
    });

    const gaveUp = await startTouching(scene, { signal: caller.signal }).catch(() => 'gave up');
    const list = await server.call('claude_code_session', { action: 'list' });
    const done = await server.call('claude_code_check', {
      sessionId: list.json.sessions?.[0]?.sessionId,
      waitMs: 20_000,
    });

    expect(gaveUp).toBe('gave up');
    expect(list.json.sessions).toHaveLength(1);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(person.forms[0]?.signal.aborted).toBe(false);
    expect(settledInputs(server)).toMatchObject([{ answeredBy: 'elicitation' }]);
  });
});

describe.each(['modern', 'legacy'] as const)('no form is shown, %s era', (era) => {
  const clients: [string, Omit<InProcessOptions, 'era'>][] = [
    [
      'the operator has switched forms off',
      {
        capabilities: formCapability,
        env: { CLAUDE_CODE_MCP_ELICITATION: 'off' },
      },
    ],
    ['the client can only open pages', { capabilities: { elicitation: { url: {} } } }],
    ['the client declares nothing', {}],
  ];

  it.each(clients)('when %s', async (_name, options) => {
    const scene = await startInProcess({ era, ...options });
    const { server } = scene;
    const received: string[] = [];
    server.client.fallbackRequestHandler = async ({ method }) => {
      received.push(method);
      throw new Error('cannot be shown');
    };

    const asked = await startTouching(scene);
    const requestId = asked.json.actions?.[0]?.requestId;
    const done = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(received).toEqual([]);
    expect(isTouched(scene)).toBe(true);
  });
});
