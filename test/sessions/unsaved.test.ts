/** Sessions whose state could not be written. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainLimits } from '../kit/fake-manager.js';
import { createManagerScene, startIn, type ManagerScene } from './manager-scene.js';

/** A file takes the place of the folder, so every write fails until the returned function is called. */
function breakDisk({ stateDir }: ManagerScene): () => void {
  const folder = join(stateDir, 'sessions');
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  return () => {
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
  };
}

async function endUnsaved() {
  const scene = await createManagerScene();
  const { session, process } = await startIn(scene);
  await scene.manager.saved();
  const repair = breakDisk(scene);
  process.result({ costUsd: 0.5 });
  await scene.manager.saved();
  return { ...scene, session, repair };
}

it('the next call saves them, without another change', async () => {
  const { manager, records, session, repair } = await endUnsaved();
  const broken = session.view.notSaved;
  repair();

  await manager.saved();

  expect(broken).toContain('ENOTDIR');
  expect(session.view.notSaved).toBeUndefined();
  expect(await records.load(session.id)).toMatchObject({ status: 'idle', totals: { costUsd: 0.5 } });
});

it('the answer about another session does not depend on them', async () => {
  const scene = await createManagerScene();
  const { manager } = scene;
  const [saved, unsaved] = [await startIn(scene), await startIn(scene)];
  await manager.saved();
  const repair = breakDisk(scene);
  unsaved.process.result();
  await manager.saved();

  const answers = [
    await manager.saved(saved.session.id),
    await manager.saved(unsaved.session.id),
    await manager.saved(),
  ];
  repair();

  expect(answers).toEqual([true, false, false]);
});

it('they stay in memory until they are saved', async () => {
  const { manager, clock, session, repair } = await endUnsaved();
  const tooLong = plainLimits.sessionTtlMs + 2 * plainLimits.cleanupIntervalMs;

  clock.advance(tooLong);
  const unsaved = manager.list().map(({ id }) => id);
  repair();
  await manager.saved();
  clock.advance(tooLong);

  expect([unsaved, manager.list()]).toEqual([[session.id], []]);
});
