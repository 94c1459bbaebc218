import { describe, expect, it } from 'vitest';
import type { RequestedOptions } from '../../src/core/options/index.js';
import { callerOf } from '../../src/page/people.js';
import { plainCaller } from '../kit/callers.js';
import { createManagerScene, startIn, writeTranscript } from './manager-scene.js';

const person = callerOf({ deviceId: 'd1', device: 'Phone', principal: 'me' });

/** A prompt of a client without forms waits for the turn of its session. */
async function queueIn(options: RequestedOptions, changes: RequestedOptions = {}) {
  const scene = await createManagerScene();
  const { session, process } = await startIn(scene, options);
  await writeTranscript(scene, session.id);
  const diskResumeConfig = Object.keys(changes).length === 0 ? undefined : changes;
  const how = { forkSession: false, whenBusy: 'queue', diskResumeConfig } as const;
  await scene.manager.reply(session.id, 'next', how, plainCaller);
  return { ...scene, session, process };
}

describe('a queued prompt', () => {
  it('does not run with what its caller pre-approved, once a person has answered', async () => {
    const { manager, session, process } = await queueIn({}, { allowedTools: ['Bash'] });
    manager.approvals.notePrompt('another session', person);

    process.result();

    expect(session.view.lastResult).toMatchObject({
      outcome: 'failed',
      refusal: { reason: 'pre_approval_refused' },
    });
  });

  it('does not continue in a mode that its caller cannot choose any more', async () => {
    const { manager, backend, process } = await queueIn({ permissionMode: 'acceptEdits' });
    manager.approvals.notePrompt('another session', person);

    process.result();
    const { launch } = await backend.process(1);

    expect(launch.options.permissionMode).toBe('default');
  });

  it('runs as it was requested if nobody has answered', async () => {
    const { backend, process } = await queueIn({}, { allowedTools: ['Bash'] });

    process.result();
    const { launch } = await backend.process(1);

    expect(launch.options.allowedTools).toEqual(['Bash']);
  });
});
