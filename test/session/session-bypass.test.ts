import { describe, expect, it } from 'vitest';
import { createScene, idleScene, reply, startedScene } from './session-scene.js';

const options = { permissionMode: 'bypassPermissions' } as const;

describe('the end of a bypass', () => {
  it('reaches a running turn, which continues and asks', async () => {
    const { session, process } = await startedScene({ options });

    await session.endBypass();

    expect(process.orders).toEqual([{ permissionMode: 'default' }]);
    expect(session.view.options.permissionMode).toBe('default');
    expect(session.view.state.status).toBe('running');
  });

  it('applies to queued prompts that would have bypassed approval', async () => {
    const { session, process, backend } = await startedScene({ options });
    await reply(session, 'second', { whenBusy: 'queue', options: session.view.options });

    await session.endBypass();
    process.result();
    await process.prompt(1);

    expect(session.view.options.permissionMode).toBe('default');
    expect(backend.processes).toHaveLength(1);
  });

  it('stops a process that refuses the change, and the next one asks', async () => {
    const { session, process, backend } = await startedScene({ options });
    process.setPermissionMode = () => Promise.reject(new Error('no'));

    await session.endBypass();
    await reply(session, 'second');
    const next = await backend.process(1);

    expect(session.view.state.outcome).not.toBe('completed');
    expect(next.launch.options.permissionMode).toBe('default');
  });

  it('stops a process that is about to start', async () => {
    const { session, backend } = createScene({ options });
    const started = session.start({ text: 'first' });

    await session.endBypass();
    await started;

    expect(backend.processes).toEqual([]);
    expect(session.view.options.permissionMode).toBe('default');
  });

  it('reaches an idle session, with or without a process', async () => {
    const { session, process } = await idleScene({ options });
    await session.evict();

    await session.endBypass();

    expect(process.orders).toEqual([]);
    expect(session.view.options.permissionMode).toBe('default');
    expect(session.view.state).toMatchObject({ status: 'idle', outcome: 'completed' });
  });

  it('reaches a session that the model has put into plan mode, from which it would return to bypass', async () => {
    const { session, process } = await startedScene({ options });
    process.signal({ type: 'mode', permissionMode: 'plan' });

    await session.endBypass();

    expect(process.orders).toEqual([{ permissionMode: 'default' }, { permissionMode: 'plan' }]);
    expect(session.view.options.permissionMode).toBe('plan');
  });

  it('stops a process in plan mode that refuses the change, and the next one plans', async () => {
    const { session, process, backend } = await startedScene({ options });
    process.setPermissionMode = () => Promise.reject(new Error('no'));
    process.signal({ type: 'mode', permissionMode: 'plan' });

    await session.endBypass();
    await reply(session, 'second');
    const next = await backend.process(1);

    expect(next.launch.options.permissionMode).toBe('plan');
  });

  it('applies to queued prompts of a session that is in another mode now', async () => {
    const { session, process, backend } = await startedScene({ options: { permissionMode: 'acceptEdits' } });
    await reply(session, 'second', { whenBusy: 'queue', options: { ...session.view.options, ...options } });

    await session.endBypass();
    process.result();
    const next = await backend.process(1);

    expect(process.orders).toEqual([]);
    expect(next.launch.options.permissionMode).toBe('default');
  });

  it('changes nothing else', async () => {
    const { session, process } = await startedScene({ options: { permissionMode: 'acceptEdits' } });

    await session.endBypass();

    expect(process.orders).toEqual([]);
    expect(session.view.options.permissionMode).toBe('acceptEdits');
  });
});
