import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onePixel, png } from '../../kit/attached-files.js';
import { plainCaller } from '../../kit/callers.js';
import { plainPolicy } from '../../kit/policy.js';
import { createManagerScene, startIn } from '../manager-scene.js';
import { plainReply, put, refusal, startWith } from './attachment-scene.js';

const onPosix = it.skipIf(process.platform === 'win32');

describe('a place from which no file is attached', () => {
  it('is any outside the folders of the session, without a word about what exists there', async () => {
    const scene = await createManagerScene();
    const [secret, none] = ['secret.txt', 'none.txt'].map((name) => join(scene.root, name));
    writeFileSync(secret ?? '', 'SECRET');

    expect([
      await refusal(scene, secret ?? ''),
      await refusal(scene, none ?? ''),
      await refusal(scene, '../secret.txt'),
      await refusal(scene, '~/secret.txt'),
    ]).toEqual([
      { reason: 'attachment_outside', path: secret },
      { reason: 'attachment_outside', path: none },
      { reason: 'attachment_outside', path: '../secret.txt' },
      { reason: 'attachment_outside', path: '~/secret.txt' },
    ]);
  });

  onPosix('is any to which a link or a linked folder leads', async () => {
    const scene = await createManagerScene();
    mkdirSync(join(scene.root, 'other'));
    writeFileSync(join(scene.root, 'other', 'secret.txt'), 'SECRET');
    symlinkSync(join(scene.root, 'other', 'secret.txt'), join(scene.project, 'notes.txt'));
    symlinkSync(join(scene.root, 'other'), join(scene.project, 'folder'));
    symlinkSync('/proc/self/environ', join(scene.project, 'environment.txt'));

    expect([
      await refusal(scene, 'notes.txt'),
      await refusal(scene, 'folder/secret.txt'),
      await refusal(scene, 'environment.txt'),
    ]).toEqual([
      { reason: 'attachment_outside', path: 'notes.txt' },
      { reason: 'attachment_outside', path: 'folder/secret.txt' },
      { reason: 'attachment_protected', path: 'environment.txt' },
    ]);
  });

  onPosix('is none to which a link inside the folder leads', async () => {
    const scene = await createManagerScene();
    put(scene, { 'real.txt': 'text' });
    symlinkSync('real.txt', join(scene.project, 'link.txt'));

    const { process } = await startWith(scene, ['link.txt']);

    expect(process.prompts[0]?.attachments).toMatchObject([{ path: join(scene.project, 'real.txt') }]);
  });
});

describe('rules about reading', () => {
  it.each([
    ['the caller forbids', { disallowedTools: ['Read(.env)'] }],
    ['the caller forbids for every file', { disallowedTools: ['Read'] }],
  ])('apply to a file that %s', async (_who, options) => {
    const scene = await createManagerScene();
    put(scene, { '.env': 'KEY=1' });
    const [rule] = options.disallowedTools;

    expect(await refusal(scene, '.env', options)).toEqual({
      reason: 'attachment_denied',
      path: '.env',
      rule: JSON.stringify(rule),
    });
  });

  it.each([
    ['deny', { reason: 'attachment_denied', rule: '"Read(./secrets/**)"' }],
    ['ask', { reason: 'attachment_needs_approval', why: 'the permission rule "Read(./secrets/**)" asks' }],
  ])('of the user apply: %s', async (kind, expected) => {
    const scene = await createManagerScene();
    put(scene, { 'secrets/a.png': png(1, 1), 'open/a.png': png(1, 1) });
    mkdirSync(scene.claudeHome.configDir, { recursive: true });
    writeFileSync(
      scene.claudeHome.settingsFile,
      JSON.stringify({ permissions: { [kind]: ['Read(./secrets/**)'] } }),
    );

    const refused = await refusal(scene, 'secrets/a.png');
    const { process } = await startWith(scene, ['open/a.png']);

    expect(refused).toEqual({ ...expected, path: 'secrets/a.png' });
    expect(process.prompts[0]?.attachments).toHaveLength(1);
  });

  it('that a reply brings apply to its own files', async () => {
    const scene = await createManagerScene();
    put(scene, { '.env': 'KEY=1' });
    const { session, process } = await startIn(scene);
    process.result();

    const replied = scene.manager.reply(
      session.id,
      'more',
      { ...plainReply, attachments: ['.env'], diskResumeConfig: { disallowedTools: ['Read(.env)'] } },
      plainCaller,
    );

    await expect(replied).rejects.toMatchObject({ reason: 'attachment_denied' });
  });
});

describe('with roots', () => {
  async function rooted(approvals: 'any' | 'auto' | 'human' = 'auto') {
    const plain = await createManagerScene();
    const roots = [join(plain.root, 'work')];
    const [cwd, shots, outside] = ['work/app', 'work/shots', 'other'].map((name) => join(plain.root, name));
    for (const folder of [cwd, shots, outside]) {
      mkdirSync(folder ?? '', { recursive: true });
      writeFileSync(join(folder ?? '', 'a.png'), onePixel);
    }
    const { root, stateDir, claudeHome } = plain;
    const scene = await createManagerScene({
      root,
      policy: { ...plainPolicy, approvals },
      folders: {
        claudeHome,
        defaultCwd: cwd ?? '',
        bounds: {
          home: join(root, 'home'),
          stateDir,
          claudeDir: join(root, 'work', 'claude'),
          listed: roots,
          trusted: [],
          roots,
        },
      },
    });
    return { scene, shot: join(shots ?? '', 'a.png'), outside: join(outside ?? '', 'a.png'), root };
  }

  it('a caller that may approve attaches any file in them', async () => {
    const { scene, shot } = await rooted();

    const { process } = await startWith(scene, [shot]);

    expect(process.prompts[0]?.attachments).toMatchObject([{ path: shot, mediaType: 'image/png' }]);
  });

  it('a caller attaches nothing outside them', async () => {
    const { scene, outside } = await rooted();

    expect(await refusal(scene, outside)).toEqual({ reason: 'attachment_outside', path: outside });
  });

  it.each([
    ['only people approve', 'human', plainCaller],
    ['a person can be asked', 'auto', { ...plainCaller, canAskPerson: true }],
    ['the caller may not approve', 'any', { ...plainCaller, mayAnswer: false }],
  ] as const)(
    'a caller attaches files in the folders of the session only, if %s',
    async (_who, mode, caller) => {
      const { scene, shot } = await rooted(mode);

      const refused = await refusal(scene, shot, {}, caller);
      const started = scene.manager.start({ text: 'look', attachments: ['a.png'] }, {}, caller);
      const process = await scene.backend.process(0);
      await process.prompt(0);
      process.init();
      await started;

      expect(refused).toEqual({ reason: 'attachment_outside', path: shot });
      expect(process.prompts[0]?.attachments).toHaveLength(1);
    },
  );

  it('no file of Claude Code or of keys is attached, even if a session may work around it', async () => {
    const { scene, root } = await rooted();
    const credentials = join(root, 'work', 'claude', '.credentials.json');
    mkdirSync(join(root, 'work', 'claude'));
    writeFileSync(credentials, '{}');

    expect(await refusal(scene, credentials, { cwd: join(root, 'work') })).toEqual({
      reason: 'attachment_protected',
      path: credentials,
    });
  });
});
