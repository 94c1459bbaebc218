import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors.js';
import { createManagerScene, startIn, type ManagerScene } from '../manager-scene.js';

const near = '00000001-1111-4000-8000-000000000000';

/** A file that is named like a record, and that is no record. */
async function putFile({ stateDir }: ManagerScene, name: string): Promise<void> {
  await mkdir(join(stateDir, 'sessions'), { recursive: true });
  await writeFile(join(stateDir, 'sessions', name), 'not a record');
}

describe('the beginning of a session id', () => {
  it('names a session in memory, whether or not it is on disk', async () => {
    const scene = await createManagerScene();
    const { session } = await startIn(scene, { persistSession: false });

    expect(await scene.manager.ids.resolve(` ${session.id.slice(0, 8)} `)).toBe(session.id);
  });

  it('names a session of an earlier server', async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before);
    process.result();
    await before.manager.shutdown();
    const after = await createManagerScene({ root: before.root });

    const id = await after.manager.ids.resolve(session.id.slice(0, 12));

    expect(after.manager.list()).toEqual([]);
    expect((await after.manager.find(id)).id).toBe(session.id);
  });

  it('names a session by the id that Claude Code gave it', async () => {
    const scene = await createManagerScene();
    const { session, process } = await startIn(scene);
    const claudeSessionId = 'abcdef01-0000-4000-8000-000000000000';
    process.signal({ type: 'init', claudeSessionId, tools: [], permissionMode: 'default' });

    expect(await scene.manager.ids.resolve('abcdef01')).toBe(session.id);
  });

  it('is refused with a count if several begin like it, without reading their records', async () => {
    const scene = await createManagerScene();
    const { session } = await startIn(scene);
    await putFile(scene, `${near}.jsonl`);

    await expect(scene.manager.ids.resolve('00000001')).rejects.toThrow(
      new AppError('session_id_ambiguous', { text: '00000001', count: 2 }),
    );
    expect(await scene.manager.ids.resolve('00000001-1')).toBe(near);
    expect(await scene.manager.ids.resolve(session.id)).toBe(session.id);
  });

  it('is unknown if no session begins like it, and files that hold no session do not count', async () => {
    const scene = await createManagerScene();
    await putFile(scene, 'aaaaaaaa.lock');
    await putFile(scene, 'aaaaaaaa-1111.jsonl');

    await expect(scene.manager.ids.resolve('aaaaaaaa')).rejects.toThrow(
      new AppError('session_unknown', { sessionId: 'aaaaaaaa' }),
    );
  });
});
