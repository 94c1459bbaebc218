import { describe, expect, it } from 'vitest';
import { callerOf } from '../../src/page/people.js';
import { plainCaller } from '../kit/callers.js';
import { deferred } from '../kit/deferred.js';
import { freeLocks } from '../kit/locks.js';
import { blindRedactor } from '../kit/redactors.js';
import { createManagerScene, startIn, writeTranscript } from './manager-scene.js';

const bypass = { permissionMode: 'bypassPermissions' } as const;
const reply = { forkSession: false, whenBusy: 'reject' } as const;

/** A server where something happens as soon as the options of the next call are resolved. */
async function startBusy() {
  let happen: () => unknown = () => undefined;
  const redactor = { ...blindRedactor, learn: () => void happen() };
  const scene = await createManagerScene({ redactor });
  return { ...scene, onResolved: (what: () => unknown) => (happen = what) };
}

/** A server whose bypass ends then. */
async function startEnding() {
  const scene = await startBusy();
  const { bypass: bypassSwitch } = scene.manager.approvals;
  bypassSwitch.enableWithoutPerson(plainCaller);
  return { ...scene, endSoon: () => scene.onResolved(() => bypassSwitch.disable(plainCaller)) };
}

/** A session that rests in bypassPermissions. */
async function rest(scene: Awaited<ReturnType<typeof createManagerScene>>) {
  const { session, process } = await startIn(scene, bypass);
  await writeTranscript(scene, session.id);
  process.result();
  return { session, process };
}

describe('a bypass that ends while a call is on its way', () => {
  it('is not used by a start', async () => {
    const { manager, backend, endSoon } = await startEnding();
    endSoon();

    const started = manager.start('do it', bypass, plainCaller);

    await expect(started).rejects.toMatchObject({ reason: 'bypass_refused' });
    expect(backend.processes).toEqual([]);
  });

  it.each([
    ['reply', reply],
    ['fork', { ...reply, forkSession: true }],
  ])('is not used by a %s', async (_what, how) => {
    const scene = await startEnding();
    const { session, process } = await rest(scene);
    scene.endSoon();

    const replied = scene.manager.reply(session.id, 'again', how, plainCaller);

    await expect(replied).rejects.toMatchObject({ reason: 'session_changed' });
    expect(scene.backend.processes).toEqual([process]);
    expect(process.prompts).toMatchObject([{ text: 'do it' }]);
    expect(session.view.options.permissionMode).toBe('default');
  });

  it('is not used by a reply that waits for another server to let go of the session', async () => {
    const [asked, free] = [deferred(), deferred()];
    let isHeld = false;
    const take: typeof freeLocks.take = async (...which) => {
      if (isHeld) {
        asked.resolve();
        await free.promise;
      }
      return freeLocks.take(...which);
    };
    const scene = await createManagerScene({ locks: { ...freeLocks, take } });
    const { manager } = scene;
    const { bypass: bypassSwitch } = manager.approvals;
    bypassSwitch.enableWithoutPerson(plainCaller);
    const { session, process } = await rest(scene);
    await session.closeIfIdle();
    isHeld = true;
    const replied = manager.reply(session.id, 'again', reply, plainCaller);
    const refused = expect(replied).rejects.toMatchObject({ reason: 'session_changed' });
    await asked.promise;

    const disabled = bypassSwitch.disable(plainCaller);
    free.resolve();

    await Promise.all([refused, disabled]);
    expect(scene.backend.processes).toEqual([process]);
    expect(session.view.options.permissionMode).toBe('default');
  });
});

it('a start whose caller could pre-approve tools only before a person has answered is refused', async () => {
  const { manager, backend, onResolved } = await startBusy();
  const person = callerOf({ deviceId: 'd1', device: 'Phone', principal: 'me' });
  onResolved(() => manager.approvals.notePrompt('another session', person));

  const started = manager.start('do it', { allowedTools: ['Bash'] }, plainCaller);

  await expect(started).rejects.toMatchObject({ reason: 'pre_approval_refused' });
  expect(backend.processes).toEqual([]);
});

it.each([
  ['reply', { ...reply, whenBusy: 'queue' as const }],
  ['fork', { ...reply, forkSession: true }],
])(
  'a %s whose options were resolved before a rule was denied for the session is refused',
  async (_what, how) => {
    const scene = await startBusy();
    const { manager, onResolved } = scene;
    const { session, process } = await startIn(scene);
    await writeTranscript(scene, session.id);
    const answered = process.ask({});
    const [request] = session.view.openInputs;
    if (request === undefined) throw new Error('no request is open');
    const updatedPermissions = [
      { type: 'addRules', behavior: 'deny', rules: [{ toolName: 'Bash', ruleContent: 'rm *' }] },
    ];
    onResolved(() => {
      onResolved(() => undefined);
      void manager.approvals.answer(
        session.view,
        request,
        { decision: 'allow', updatedPermissions },
        plainCaller,
      );
    });

    const replied = manager.reply(
      session.id,
      'again',
      { ...how, diskResumeConfig: { model: 'another' } },
      plainCaller,
    );

    await expect(replied).rejects.toMatchObject({ reason: 'session_changed' });
    await answered;
    expect(session.view.optionsAhead.disallowedTools).toEqual(['Bash(rm *)']);
    expect(scene.backend.processes).toEqual([process]);
  },
);
