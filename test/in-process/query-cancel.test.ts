import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stall, streamThenHang, text, tool } from '../kit/model-steps.js';
import { formCapability, neverAnswer, seatPerson } from '../kit/person.js';
import { until } from '../kit/until.js';
import { startQueryInProcess, type InProcessQueryScene } from '../kit/query-scene.js';

/** Generous: it is 2 s for Claude Code, and the machine may be busy. */
const LIMIT_MS = 4_000;

type Phase = {
  readonly name: string;
  /** Resolves when the query is there. */
  readonly reach: (scene: InProcessQueryScene) => Promise<unknown>;
  readonly script: (scene: InProcessQueryScene) => void;
};

const phases: readonly Phase[] = [
  {
    name: 'while Claude Code waits for the model',
    script: ({ model }) => model.when('work', [stall()]),
    reach: ({ model }) => model.request(({ promptText }) => promptText === 'work'),
  },
  {
    name: 'while the model streams',
    script: ({ model }) => model.when('work', [streamThenHang('One two three')]),
    reach: ({ model }) => model.request(({ promptText }) => promptText === 'work'),
  },
  {
    name: 'while a tool runs',
    script: ({ model }) =>
      model.when('work', [tool('Bash', { command: 'touch begun; sleep 60' }), text('Done.')]),
    reach: ({ sandbox }) => until('the tool runs', () => existsSync(join(sandbox.project, 'begun'))),
  },
];

/** The only session there is, once its turn is over. */
function soleSession({ server }: InProcessQueryScene): Promise<string> {
  return until('there is one session, at rest', async () => {
    const { sessions = [] } = (await server.call('claude_code_session', { action: 'list' })).json;
    const [session] = sessions;
    return sessions.length === 1 && session?.status === 'idle' && session.sessionId;
  });
}

async function canGoOn(scene: InProcessQueryScene): Promise<void> {
  const { model, server } = scene;
  model.when('go on', [text('Went on.')]);
  const sessionId = await soleSession(scene);
  const reply = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });
  expect(reply.json).toMatchObject({ status: 'idle', result: { result: 'Went on.' } });
}

async function cancelAndLook(
  scene: InProcessQueryScene,
  running: Promise<unknown>,
  cancel: AbortController,
): Promise<void> {
  const outcome = running.then(
    () => 'answered',
    () => 'cancelled',
  );
  const cancelledAt = Date.now();
  cancel.abort();
  expect(Date.now() - cancelledAt).toBeLessThan(LIMIT_MS);
  expect(await outcome).toBe('cancelled');
}

describe.each(['modern', 'legacy'] as const)('a query whose request is cancelled, %s era', (era) => {
  it.each(phases)('stops Claude $name, and its session can be continued', async ({ script, reach }) => {
    const scene = await startQueryInProcess({ era });
    const cancel = new AbortController();
    script(scene);

    const running = scene.query('work', { signal: cancel.signal, args: { allowedTools: ['Bash'] } });
    running.catch(() => undefined);
    await reach(scene);
    await cancelAndLook(scene, running, cancel);
    const toldBefore = scene.told.length;
    await canGoOn(scene);

    expect(scene.told).toHaveLength(toldBefore);
    expect(scene.server.stdout()).not.toContain('call was cancelled');
  });
});

describe('a query that is cancelled while a person is asked', () => {
  it('takes the form away and stops', async () => {
    const scene = await startQueryInProcess({ era: 'legacy', capabilities: formCapability });
    const person = seatPerson(scene.server, neverAnswer);
    const cancel = new AbortController();
    scene.model.when('work', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);

    const running = scene.query('work', { signal: cancel.signal });
    running.catch(() => undefined);
    const form = await person.form(0);
    await cancelAndLook(scene, running, cancel);
    await until('the form is taken away', () => form.signal.aborted);
    await canGoOn(scene);

    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });
});
