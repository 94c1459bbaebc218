import { expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { deferred } from '../kit/deferred.js';
import { createScene, idleScene, reply } from './session-scene.js';

it('a change of the mode is refused if a reply claims the session while the record is read', async () => {
  const asked = deferred();
  const read = deferred();
  const { session, backend } = createScene({
    compared: () => {
      asked.resolve();
      return read.promise;
    },
    seed: { isRestored: true, state: { status: 'idle', outcome: undefined } },
  });
  const { options } = session.view;

  const changed = session.configure({ permissionMode: 'plan' }).catch((error: unknown) => error);
  await asked.promise;
  const replied = reply(session, 'second', { options, base: options });
  read.resolve();
  const refused = await changed;
  await replied;

  expect(refused).toMatchObject({ reason: 'session_busy' });
  expect((await backend.process(0)).launch.options.permissionMode).toBe('default');
});

it.each([{ permissionMode: 'plan' }, { model: 'another' }] as const)(
  'a reply that was resolved before %o was set is refused, and leaves it in place',
  async (change) => {
    const { session, process } = await idleScene();
    process.exit();
    const { options } = session.view;
    await session.configure(change);

    const replied = reply(session, 'second', { options, base: options });

    await expect(replied).rejects.toEqual(
      new AppError('session_changed', { sessionId: session.id, what: 'options' }),
    );
    expect(session.view.options).toEqual({ ...options, ...change });
  },
);

it('a reply that was resolved before a mode was set runs if it asks for that mode', async () => {
  const { session, process, backend } = await idleScene();
  process.exit();
  const base = session.view.options;
  await session.configure({ permissionMode: 'plan' });

  await reply(session, 'second', { options: { ...base, permissionMode: 'plan' }, base });

  expect((await backend.process(1)).launch.options.permissionMode).toBe('plan');
});
