import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/core/observability/audit.js';
import type { RequestedOptions } from '../../src/core/options/index.js';
import type { PolicySettings } from '../../src/policy/settings.js';
import { callerOf } from '../../src/page/people.js';
import { auditInto } from '../kit/audits.js';
import { plainCaller } from '../kit/callers.js';
import { deferred } from '../kit/deferred.js';
import { plainPolicy } from '../kit/policy.js';
import { until } from '../kit/until.js';
import { createManagerScene, startIn, writeOwner, writeTranscript } from './manager-scene.js';

const desktop = { ...plainCaller, clientId: 'desktop', canAskPerson: true };
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

  it.each([
    ['that can ask a person', desktop],
    ['that may not answer', { ...plainCaller, mayAnswer: false }],
  ])(
    'of a client %s does not run with what another client pre-approved for the prompt before',
    async (_who, caller) => {
      const { manager, backend, session, process } = await queueIn({}, { allowedTools: ['Bash', 'Read'] });
      await manager.reply(session.id, 'last', { forkSession: false, whenBusy: 'queue' }, caller);

      process.result();
      const second = await backend.process(1);
      await second.prompt(0);
      second.init();
      second.result();
      const third = await backend.process(2);

      expect(second.launch.options.allowedTools).toEqual(['Bash', 'Read']);
      expect(third.launch.options.allowedTools).toEqual(['Read']);
      expect(session.view.notRestored).toContain('allowedTools');
    },
  );

  it('is refused if another client has changed meanwhile what runs without approval', async () => {
    const entries: AuditEntry[] = [];
    const prompts = (): number => entries.filter(({ what }) => what === 'prompt_given').length;
    const looked = deferred();
    const startTimeOf = (): Promise<undefined> => looked.promise.then(() => undefined);
    const scene = await createManagerScene({ audit: auditInto(entries), startTimeOf });
    const { manager, backend } = scene;
    const { session, process } = await startIn(scene);
    await writeTranscript(scene, session.id);
    process.result();
    await writeOwner(scene, session.id);
    const changes = { allowedTools: ['Bash'] };
    const reply = { forkSession: false, whenBusy: 'reject' } as const;

    const first = manager.reply(session.id, 'first', { ...reply, diskResumeConfig: changes }, plainCaller);
    await until('the first is accepted', () => prompts() === 2);
    const second = manager.reply(session.id, 'second', { ...reply, whenBusy: 'queue' }, desktop);
    await until('the second is judged', () => prompts() === 3);
    looked.resolve();

    await expect(second).rejects.toMatchObject({ reason: 'session_changed' });
    await first;
    expect((await backend.process(1)).launch.options.allowedTools).toEqual(['Bash']);
    expect(session.view.queued).toEqual([]);
  });

  it('that steers a turn which has not started does not join it once a person has answered', async () => {
    const scene = await createManagerScene();
    const { manager, backend } = scene;
    const { session, process } = await startIn(scene, { permissionMode: 'acceptEdits' });
    await writeTranscript(scene, session.id);
    process.result();
    const reply = { forkSession: false, whenBusy: 'reject' } as const;
    await manager.reply(session.id, 'second', reply, plainCaller);
    await process.prompt(1);
    await manager.reply(session.id, 'third', { ...reply, whenBusy: 'steer' }, plainCaller);
    const waiting = session.view.queued;

    manager.approvals.notePrompt('another session', person);
    process.progress('started');
    process.result();
    const { launch } = await backend.process(1);

    expect(waiting).toEqual(['third']);
    expect(process.prompts).toMatchObject([{ text: 'do it' }, { text: 'second' }]);
    expect(launch.options.permissionMode).toBe('default');
  });

  it.each<[string, Partial<PolicySettings>, RequestedOptions]>([
    ['acceptEdits', { preallow: ['Edit', 'Write'] }, { permissionMode: 'acceptEdits' }],
    ['bypassPermissions', { callerTrust: 'full' }, { permissionMode: 'bypassPermissions' }],
  ])(
    'of a client with forms does not run in %s, which the operator allows it only until a person has answered',
    async (mode, settings, options) => {
      const scene = await createManagerScene({ policy: { ...plainPolicy, ...settings } });
      const { manager, backend } = scene;
      const { session, process } = await startIn(scene, options);
      await writeTranscript(scene, session.id);
      const client = { ...plainCaller, canAskPerson: true };
      await manager.reply(session.id, 'next', { forkSession: false, whenBusy: 'queue' }, client);

      manager.approvals.notePrompt('another session', person);
      process.result();
      const { launch } = await backend.process(1);

      expect([process.launch, launch].map((each) => each.options.permissionMode)).toEqual([mode, 'default']);
    },
  );

  it('runs as it was requested if nobody has answered', async () => {
    const { backend, process } = await queueIn({}, { allowedTools: ['Bash'] });

    process.result();
    const { launch } = await backend.process(1);

    expect(launch.options.allowedTools).toEqual(['Bash']);
  });
});

describe('a prompt that steers a turn with more than its sender may have', () => {
  it.each([
    ['a client that can ask a person', desktop],
    ['a token that may not answer', { ...plainCaller, mayAnswer: false }],
  ])('does not join it, even behind an earlier prompt of the same sender: %s', async (_who, caller) => {
    const scene = await createManagerScene();
    const { manager, backend } = scene;
    const { session, process } = await startIn(scene, { allowedTools: ['Bash', 'Read'] });
    await writeTranscript(scene, session.id);
    process.progress('started');
    const steer = { forkSession: false, whenBusy: 'steer' } as const;

    await manager.reply(session.id, 'first', steer, caller);
    await manager.reply(session.id, 'second', steer, caller);
    const waiting = session.view.queued;
    process.result();
    const next = await backend.process(1);

    expect(waiting).toEqual(['first', 'second']);
    expect(process.prompts).toMatchObject([{ text: 'do it' }]);
    expect(next.launch.options.allowedTools).toEqual(['Read']);
  });

  it('does not join it either when Claude Code has started it', async () => {
    const scene = await createManagerScene();
    const { manager } = scene;
    const { session, process } = await startIn(scene, { allowedTools: ['Bash', 'Read'] });
    await writeTranscript(scene, session.id);
    const steer = { forkSession: false, whenBusy: 'steer' } as const;
    await manager.reply(session.id, 'first', steer, desktop);
    await manager.reply(session.id, 'second', steer, desktop);

    process.progress('started');

    expect(session.view.queued).toEqual(['first', 'second']);
    expect(process.prompts).toMatchObject([{ text: 'do it' }]);
  });

  it('joins it although a prompt with other options waits, if its sender may have all of it', async () => {
    const { manager, session, process } = await queueIn(
      { allowedTools: ['Bash'] },
      { allowedTools: ['Read'] },
    );
    process.progress('started');
    const steer = { forkSession: false, whenBusy: 'steer' } as const;

    await manager.reply(session.id, 'of a client that can ask a person', steer, desktop);
    await manager.reply(session.id, 'of the client that began it', steer, plainCaller);

    expect(process.prompts).toMatchObject([{ text: 'do it' }, { text: 'of the client that began it' }]);
    expect(session.view.queued).toEqual(['next', 'of a client that can ask a person']);
  });

  it('joins it if it may have all of it', async () => {
    const scene = await createManagerScene();
    const { manager } = scene;
    const { session, process } = await startIn(scene, { allowedTools: ['Read'] });
    await writeTranscript(scene, session.id);
    process.progress('started');

    await manager.reply(session.id, 'first', { forkSession: false, whenBusy: 'steer' }, desktop);

    expect(process.prompts).toMatchObject([{ text: 'do it' }, { text: 'first' }]);
  });
});
