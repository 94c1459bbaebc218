import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { callerOf } from '../../src/page/people.js';
import { plainCaller } from '../kit/callers.js';
import { createManagerScene, writeTranscript, type ManagerSceneOptions } from './manager-scene.js';

const person = callerOf({ deviceId: 'd1', device: 'Phone', principal: 'me' });
const desktop = { ...plainCaller, canAskPerson: true };
const plainReply = { forkSession: false, whenBusy: 'reject' } as const;

/** A session that a person has started on the page, in a mode that a caller in a client with forms cannot choose. */
async function startByPerson(options: ManagerSceneOptions = {}) {
  const scene = await createManagerScene(options);
  const started = scene.manager.start('do it', { permissionMode: 'acceptEdits' }, person);
  const process = await scene.backend.process(0);
  await process.prompt(0);
  process.init();
  const session = await started;
  await writeTranscript(scene, session.id);
  return { ...scene, session, process };
}

it.each([
  ['a reply', plainReply],
  ['a fork', { ...plainReply, forkSession: true }],
])('%s of a caller does not use the mode that a person chose', async (_what, reply) => {
  const { manager, backend, session, process } = await startByPerson();
  process.result();

  const replying = manager.reply(session.id, 'write it', reply, desktop);
  const next = await backend.process(1);
  await next.prompt(0);
  next.init();
  const { view } = await replying;

  expect(process.launch.options.permissionMode).toBe('acceptEdits');
  expect(next.launch.options.permissionMode).toBe('default');
  expect(view.notRestored).toEqual(['permissionMode']);
});

it.each(['queue', 'steer'] as const)(
  'a prompt that a caller sends with %s waits for the turn of the person, and does not use its mode',
  async (whenBusy) => {
    const { manager, backend, session, process } = await startByPerson();

    await manager.reply(session.id, 'write it', { ...plainReply, whenBusy }, desktop);
    const waiting = session.view.queued;
    process.result();

    const { launch } = await backend.process(1);
    expect(waiting).toEqual(['write it']);
    expect(process.prompts).toMatchObject([{ text: 'do it' }]);
    expect(launch.options.permissionMode).toBe('default');
  },
);

it('a prompt of a caller does not use a mode that a person chooses while it waits', async () => {
  const { manager, backend, session, process } = await startByPerson();
  await manager.controls.configure(session.id, { permissionMode: 'default' }, person);
  await manager.reply(session.id, 'write it', { ...plainReply, whenBusy: 'queue' }, desktop);

  await manager.controls.configure(session.id, { permissionMode: 'acceptEdits' }, person);
  process.result();

  const { launch } = await backend.process(1);
  expect(launch.options.permissionMode).toBe('default');
});

it('a caller without forms cannot change the mode of a session that a person has started', async () => {
  const { manager, session } = await startByPerson();
  await manager.controls.configure(session.id, { permissionMode: 'default' }, person);

  const changed = manager.controls.configure(session.id, { permissionMode: 'acceptEdits' }, plainCaller);

  await expect(changed).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(session.view.options.permissionMode).toBe('default');
});

it('the person continues in the mode that the person chose', async () => {
  const { manager, session, process } = await startByPerson();
  process.result();

  await manager.reply(session.id, 'write it', plainReply, person);

  expect(await process.prompt(1)).toMatchObject({ text: 'write it' });
  expect(session.view.options.permissionMode).toBe('acceptEdits');
});

describe('a mode to which Claude Code would return from plan mode', () => {
  /** The model enters plan mode by itself. */
  async function startPlanning() {
    const scene = await startByPerson();
    scene.process.signal({ type: 'mode', permissionMode: 'plan' });
    return scene;
  }

  it('is not used by a reply of a caller, which continues in plan mode', async () => {
    const { manager, backend, session, process } = await startPlanning();
    process.result();

    const replying = manager.reply(session.id, 'build it', plainReply, desktop);
    const next = await backend.process(1);
    await next.prompt(0);
    next.init();
    await replying;

    expect(process.prompts).toMatchObject([{ text: 'do it' }]);
    expect(process.hasExited).toBe(true);
    expect(next.launch.options.permissionMode).toBe('plan');
  });

  it('is not used by a caller that steers, whose prompt waits for the end of the turn', async () => {
    const { manager, backend, session, process } = await startPlanning();

    await manager.reply(session.id, 'build it', { ...plainReply, whenBusy: 'steer' }, desktop);
    const waiting = session.view.queued;
    process.result();
    const next = await backend.process(1);

    expect(waiting).toEqual(['build it']);
    expect(await next.prompt(0)).toMatchObject({ text: 'build it' });
    expect(process.prompts).toMatchObject([{ text: 'do it' }]);
  });

  it('is used by the person who chose it', async () => {
    const { manager, session, process } = await startPlanning();
    process.result();

    await manager.reply(session.id, 'build it', plainReply, person);

    expect(await process.prompt(1)).toMatchObject({ text: 'build it' });
  });

  it('is used by a caller if it is the mode of the user', async () => {
    const { manager, session, process, claudeHome } = await startPlanning();
    await mkdir(claudeHome.configDir, { recursive: true });
    await writeFile(claudeHome.settingsFile, '{"permissions":{"defaultMode":"acceptEdits"}}');
    process.result();

    await manager.reply(session.id, 'build it', plainReply, desktop);

    expect(await process.prompt(1)).toMatchObject({ text: 'build it' });
  });
});
