import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors.js';
import type { AuditEntry } from '../../../src/core/observability/audit.js';
import type { Session } from '../../../src/session/session.js';
import { onePixel, pdf, png } from '../../kit/attached-files.js';
import { auditInto } from '../../kit/audits.js';
import { plainCaller } from '../../kit/callers.js';
import { createManagerScene, startIn } from '../manager-scene.js';
import { plainReply, put, refusal } from './attachment-scene.js';

const onPosix = it.skipIf(process.platform === 'win32');

describe('a file that cannot be attached is refused, and nothing starts', () => {
  it.each([
    ['is missing', 'none.png', { reason: 'attachment_unusable', problem: 'does not exist' }],
    ['is a folder', 'folder', { reason: 'attachment_unusable', problem: 'is not a regular file' }],
    ['is empty', 'empty.txt', { reason: 'attachment_unusable', problem: 'is empty' }],
    ['is neither image, PDF nor text', 'app.zip', { reason: 'attachment_type' }],
    ['is not UTF-8', 'latin1.txt', { reason: 'attachment_type' }],
    ['is a damaged image', 'cut.png', { reason: 'attachment_unusable', problem: 'is a damaged image' }],
    [
      'is an image of too many pixels',
      'wide.png',
      { reason: 'attachment_too_large', kind: 'an image', limit: 8_000, unit: 'pixels on each side' },
    ],
    [
      'is an image of too many bytes',
      'large.png',
      { reason: 'attachment_too_large', kind: 'an image', limit: 3_932_160, unit: 'bytes' },
    ],
    [
      'is a PDF of too many bytes',
      'large.pdf',
      { reason: 'attachment_too_large', kind: 'a PDF', limit: 8_388_608, unit: 'bytes' },
    ],
    [
      'is a text of too many bytes',
      'large.txt',
      { reason: 'attachment_too_large', kind: 'a text', limit: 262_144, unit: 'bytes' },
    ],
  ])('because it %s', async (_what, path, expected) => {
    const entries: AuditEntry[] = [];
    const scene = await createManagerScene({ audit: auditInto(entries) });
    put(scene, {
      'folder/a.txt': 'a',
      'empty.txt': '',
      'app.zip': Buffer.from('PK\x03\x04\0\0'),
      'latin1.txt': Buffer.from('f\xfcr', 'latin1'),
      'cut.png': png(1, 1).subarray(0, 16),
      'wide.png': png(8_001, 1),
      'large.png': onePixel,
      'large.pdf': pdf,
      'large.txt': 'a',
    });
    // Files with holes.
    truncateSync(join(scene.project, 'large.png'), 3_932_161);
    truncateSync(join(scene.project, 'large.pdf'), 8_388_609);
    truncateSync(join(scene.project, 'large.txt'), 262_145);

    const refused = await refusal(scene, path);

    expect(refused).toEqual({ ...expected, path });
    expect([entries, scene.manager.list(), scene.backend.processes]).toEqual([[], [], []]);
    expect(existsSync(join(scene.stateDir, 'sessions'))).toBe(false);
  });

  it('because the files are too large together', async () => {
    const scene = await createManagerScene();
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.png`);
    put(scene, Object.fromEntries(names.map((name) => [name, png(1, 1)])));
    for (const name of names) truncateSync(join(scene.project, name), 3_000_000);

    const started = scene.manager.start({ text: 'look', attachments: names }, {}, plainCaller);

    await expect(started).rejects.toEqual(new AppError('attachments_too_large', { limit: 12_582_912 }));
    expect(scene.manager.list()).toEqual([]);
  });

  onPosix('because it is a pipe, whose other end could never come', async () => {
    const scene = await createManagerScene();
    execFileSync('mkfifo', [join(scene.project, 'pipe')]);

    expect(await refusal(scene, 'pipe')).toMatchObject({ problem: 'is not a regular file' });
  });

  it.skipIf(process.platform === 'win32' || process.geteuid?.() === 0)(
    'because the server may not read it',
    async () => {
      const scene = await createManagerScene();
      put(scene, { 'a.txt': 'a' });
      chmodSync(join(scene.project, 'a.txt'), 0);

      expect(await refusal(scene, 'a.txt')).toMatchObject({ problem: 'cannot be read' });
    },
  );

  it('with the other files of the call, and the session stays as it is', async () => {
    const scene = await createManagerScene();
    put(scene, { 'a.txt': 'a' });
    const { session, process } = await startIn(scene);
    process.result();

    const replied = scene.manager.reply(
      session.id,
      'more',
      { ...plainReply, attachments: ['a.txt', 'none.txt'] },
      plainCaller,
    );

    await expect(replied).rejects.toMatchObject({ reason: 'attachment_unusable' });
    expect(session.view).toMatchObject({ state: { status: 'idle' }, turnNumber: 1 });
    expect(process.prompts).toHaveLength(1);
  });

  it('because it comes with a turn that runs again', async () => {
    const scene = await createManagerScene();
    const { session } = await startIn(scene);

    const replied = scene.manager.reply(
      session.id,
      undefined,
      { ...plainReply, resumeInterrupted: true, attachments: ['a.txt'] },
      plainCaller,
    );

    await expect(replied).rejects.toMatchObject({ reason: 'resume_with_prompt' });
  });

  it('because the queue already holds much', async () => {
    const scene = await createManagerScene();
    put(scene, { 'a.png': png(1, 1) });
    truncateSync(join(scene.project, 'a.png'), 3_900_000);
    const { session } = await startIn(scene);
    const queue = (attachments: readonly string[]): Promise<Session> =>
      scene.manager.reply(session.id, 'more', { ...plainReply, whenBusy: 'queue', attachments }, plainCaller);

    await queue(['a.png', 'a.png']);
    await queue(['a.png', 'a.png']);

    await expect(queue(['a.png'])).rejects.toMatchObject({ reason: 'queue_too_large' });
    expect(session.view.queued).toHaveLength(2);
  });
});
