import { describe, expect, it } from 'vitest';
import { createManagerScene, startIn, writeTranscript } from './manager-scene.js';

describe('long texts of transcripts', () => {
  it.each(['page', 'message', 'output'] as const)(
    'are read by few calls at once, and not for a client that has left meanwhile: %s',
    async (what) => {
      const scene = await createManagerScene();
      const { session } = await startIn(scene);
      await writeTranscript(scene, session.id, 'Done.');
      const { transcripts } = scene.manager.controls;
      const leaving = new AbortController();
      const readAll = { order: 'newest', offset: 0, limit: 10 } as const;
      const read = (signal?: AbortSignal): Promise<unknown> => {
        if (what === 'page') return transcripts.page(session.id, readAll, signal);
        if (what === 'output') return transcripts.output(session.id, signal);
        return transcripts.message(session.id, '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04', signal);
      };

      const first = Array.from({ length: 4 }, () => read());
      const left = read(leaving.signal);
      const last = read();
      leaving.abort();
      const answers = await Promise.allSettled([...first, left, last]);

      expect(answers.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 4 }, () => 'fulfilled'),
        'rejected',
        'fulfilled',
      ]);
      await expect(left).rejects.toMatchObject({ reason: 'call_cancelled' });
    },
  );
});
