import { describe, expect, it } from 'vitest';
import { plainCaller } from '../kit/callers.js';
import { plainPolicy } from '../kit/policy.js';
import { createManagerScene, startIn } from './manager-scene.js';

/** Callers are trusted, but only a person can allow this mode: a session may also be put into it later. */
async function startTrusted() {
  const scene = await createManagerScene({
    policy: { ...plainPolicy, approvals: 'human', callerTrust: 'full' },
  });
  const { bypass } = scene.manager.approvals;
  const enable = (): void => {
    const { requestId } = bypass.ask(plainCaller);
    scene.clock.advance(5_000);
    bypass.takeBack(requestId, plainCaller, { action: 'accept', content: { decision: 'allow' } });
  };
  enable();
  const { session, process } = await startIn(scene);
  const configure = () =>
    scene.manager.controls.configure(session.id, { permissionMode: 'bypassPermissions' }, plainCaller);
  const disable = () => bypass.disable(plainCaller);
  return { ...scene, session, process, enable, configure, disable };
}

const on = { permissionMode: 'bypassPermissions' };
const off = { permissionMode: 'default' };

describe('a session that was put into bypassPermissions later', () => {
  it('asks again when the bypass ends', async () => {
    const { session, process, configure, disable } = await startTrusted();

    await configure();
    await disable();

    expect(process.orders).toEqual([on, off]);
    expect(session.view.options).toMatchObject(off);
  });

  it('asks again when the bypass ends a second time', async () => {
    const { session, process, enable, configure, disable } = await startTrusted();

    await configure();
    await disable();
    enable();
    await configure();
    await disable();

    expect(process.orders).toEqual([on, off, on, off]);
    expect(session.view.options).toMatchObject(off);
  });

  it('asks again when the bypass has ended while Claude Code changed the mode', async () => {
    const { session, process, configure, disable } = await startTrusted();
    const setMode = process.setPermissionMode;
    process.setPermissionMode = async (mode: string) => {
      process.setPermissionMode = setMode;
      await disable();
      await setMode(mode);
    };

    await configure();

    expect(process.orders).toEqual([on, off]);
    expect(session.view.options).toMatchObject(off);
  });
});
