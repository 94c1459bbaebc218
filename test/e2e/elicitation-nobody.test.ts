import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { formCapability, neverAnswer, seatPerson, settledInputs } from '../kit/person.js';

const atOnce = 0;

async function startTouching(
  { server, model, sandbox }: Scene,
  options: { signal?: AbortSignal } = {},
): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  return server.call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs: 20_000 }, options);
}

function isTouched({ sandbox }: Scene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

describe('a client without a person', () => {
  it('is shown one form for each request', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern', capabilities: formCapability });
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
  async function expectOneAnswerable(scene: Scene): Promise<void> {
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

  it('because the caller gives up while it is shown leaves the request open', async () => {
    const scene = await startScene({ era: 'legacy', capabilities: formCapability });
    const person = seatPerson(scene.server, neverAnswer);
    const caller = new AbortController();

    const call = startTouching(scene, { signal: caller.signal }).catch(() => 'gave up');
    await person.form(0);
    caller.abort();

    expect(await call).toBe('gave up');
    await expectOneAnswerable(scene);
  });
});
