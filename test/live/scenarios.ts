import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Scene } from '../kit/fixture.js';
import { create, pending, read, statusOf, type StatusJson } from '../kit/sessions-moves.js';

export const prompts = {
  word: 'Answer with the single word heron.',
  again: 'Which word was it? Answer with that word only.',
  count: 'Write the numbers from one to three thousand as English words, one a line.',
  write: 'Create the file heron.txt in your working directory with the content heron. Use the Write tool.',
} as const;

/** Small on purpose: they cost money where the model is real. */
const cheap = { model: 'haiku', maxTurns: 6, maxBudgetUsd: 0.5 } as const;

const fileOf = ({ sandbox }: Pick<Scene, 'sandbox'>): string => join(sandbox.project, 'heron.txt');

/** Looks until the turn is over. The limit of the test ends it. */
async function settled(scene: Pick<Scene, 'server'>, sessionId: string): Promise<StatusJson> {
  for (;;) {
    const now = await statusOf(scene, sessionId);
    if (now.status !== 'running') return now;
    await pause(100);
  }
}

/** What must hold with any model behind Claude Code, a scripted one or that of the API. */
export function describeScenarios(start: () => Promise<Pick<Scene, 'server' | 'sandbox'>>): void {
  it('a session is created', async () => {
    const scene = await start();

    // A short answer could be complete by then.
    const created = await create(scene, prompts.count, cheap);

    expect(created).toEqual({ sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'running' });
  });

  it('its status is looked at until it has completed', async () => {
    const scene = await start();
    const { sessionId } = await create(scene, prompts.word, cheap);

    const done = await settled(scene, sessionId);

    expect(done).toMatchObject({ sessionId, status: 'completed', pendingInputs: [] });
    expect(done.result).toMatch(/heron/i);
    expect(done.recentOutput.join(' ')).toMatch(/heron/i);
    expect(done.costUsd).toBeGreaterThan(0);
  });

  it('a message resumes it with its history', async () => {
    const scene = await start();
    const { sessionId } = await create(scene, prompts.word, cheap);
    await settled(scene, sessionId);

    const sent = await scene.server.call('claude_send_message', { sessionId, message: prompts.again });
    const done = await settled(scene, sessionId);

    expect(sent.json).toEqual({ sessionId, status: 'running' });
    expect(done).toMatchObject({ status: 'completed' });
    expect(done.result).toMatch(/heron/i);
  });

  it('a running session is interrupted', async () => {
    const scene = await start();
    const { sessionId } = await create(scene, prompts.count, cheap);

    const interrupted = await scene.server.call('claude_interrupt', { sessionId });

    expect(interrupted.json).toEqual({ sessionId, status: 'interrupted' });
    expect(await statusOf(scene, sessionId)).toMatchObject({ status: 'interrupted' });
  });

  it('a permission is asked for, given, and used', async () => {
    const scene = await start();
    const { sessionId } = await create(scene, prompts.write, cheap);
    await settled(scene, sessionId);

    const { inputId, ...asked } = await pending(scene, sessionId);
    const answered = await scene.server.call('claude_respond', { sessionId, inputId, decision: 'allow' });
    const done = await settled(scene, sessionId);

    expect(asked).toMatchObject({ type: 'permission', toolName: 'Write' });
    expect(read(answered)).toEqual({ sessionId, status: 'running' });
    expect(done).toMatchObject({ status: 'completed' });
    expect(existsSync(fileOf(scene))).toBe(true);
  });

  it('a created session is listed', async () => {
    const scene = await start();
    const { sessionId } = await create(scene, prompts.word, cheap);
    await settled(scene, sessionId);

    const { json } = await scene.server.call('claude_list_sessions', {
      projectDirectory: scene.sandbox.project,
    });

    expect(json.sessions).toMatchObject([{ sessionId, projectDirectory: scene.sandbox.project }]);
  });
}
