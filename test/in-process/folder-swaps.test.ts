import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';

const refusal = /^Error \[PERMISSION_DENIED\]: .* leads to a different folder than when the session started/;

/** Puts a link to a folder that nobody has judged where the folder was. */
function swap(folder: string): void {
  const elsewhere = join(dirname(folder), `elsewhere-${Date.now()}`);
  mkdirSync(elsewhere);
  renameSync(folder, `${folder}-away`);
  symlinkSync(elsewhere, folder);
}

async function started(scene: InProcessScene, args: Record<string, unknown> = {}): Promise<string> {
  const { server, sandbox } = scene;
  const { json } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  return json.sessionId;
}

describe('a session whose folder was swapped for a link', () => {
  it('runs no further prompt, in its process, in a fork or after a restart, until the folder is back', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { server, sandbox, model } = scene;
    const sessionId = await started(scene);
    swap(sandbox.project);

    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more' });
    const fork = await server.call('claude_code_reply', { sessionId, prompt: 'more', forkSession: true });
    const restarted = await restartInProcess(scene, { era: 'modern' });
    const resumed = await restarted.server.call('claude_code_reply', { sessionId, prompt: 'more' });
    renameSync(sandbox.project, `${sandbox.project}-link`);
    renameSync(`${sandbox.project}-away`, sandbox.project);
    const back = await restarted.server.call('claude_code_reply', {
      sessionId,
      prompt: 'more',
      waitMs: 20_000,
    });

    expect(reply.text).toMatch(refusal);
    expect(fork.text).toMatch(refusal);
    expect(resumed.text).toMatch(refusal);
    expect(back.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(model.requests(sessionId)).toHaveLength(2);
    await restarted.server.close();
  });

  it('takes no steering, and fails the prompt that was queued before', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { server, sandbox, model } = scene;
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
    const sessionId = await started(scene, { prompt: 'touch' });
    await server.call('claude_code_reply', { sessionId, prompt: 'later', whenBusy: 'queue' });
    swap(sandbox.project);

    const steered = await server.call('claude_code_reply', { sessionId, prompt: 'also', whenBusy: 'steer' });
    const queued = await server.call('claude_code_reply', { sessionId, prompt: 'also', whenBusy: 'queue' });
    const { json } = await server.call('claude_code_check', { sessionId });
    await server.call('claude_code_respond', {
      requestId: json.actions?.[0]?.requestId,
      decision: 'deny',
      waitMs: 20_000,
    });
    const after = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(steered.text).toMatch(refusal);
    expect(queued.text).toMatch(refusal);
    expect(after.json).toMatchObject({ status: 'error', result: { turn: 2, isError: true } });
    expect(JSON.stringify(model.requests(sessionId).map(({ body }) => body))).not.toContain('later');
  });

  it.each(['an additional folder', 'a folder above'])('is refused for %s, too', async (which) => {
    const scene = await startInProcess({ era: 'modern' });
    const { server, sandbox } = scene;
    const [above, extra] = [join(sandbox.root, 'above'), join(sandbox.root, 'extra')];
    mkdirSync(join(above, 'inner'), { recursive: true });
    mkdirSync(extra);
    const sessionId = await started(scene, {
      cwd: join(above, 'inner'),
      advanced: { additionalDirectories: [extra] },
    });
    const swapped = which === 'an additional folder' ? extra : above;
    swap(swapped);
    mkdirSync(join(above, 'inner'), { recursive: true });

    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more' });

    expect(reply.text).toMatch(refusal);
    expect(reply.text).toContain(swapped);
  });
});
