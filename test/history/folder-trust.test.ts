import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isFolderTrusted } from '../../src/history/settings/folder-trust.js';
import { realPath } from '../../src/files/real-path.js';
import { put, tempHome } from './support/temp-home.js';

it('trusts a folder that was accepted in Claude Code, but no link to it, which could be replaced by a folder', async () => {
  const { claudeHome, folder, root } = await withFolder('work/repo');
  await put(claudeHome.stateFile, accepted(folder));
  await symlink(join(root, 'work'), join(root, 'link'));
  const trustOf = (one: string, ...trustedRoots: string[]) =>
    isFolderTrusted({ claudeHome, folder: one, trustedRoots });

  expect(await trustOf(folder)).toBe(true);
  expect(await trustOf(join(root, 'link', 'repo'))).toBe(false);
  expect(await trustOf(join(root, 'link', 'repo'), join(root, 'work'))).toBe(false);
});

it('does not trust a folder because of its parent or child', async () => {
  const { claudeHome, folder } = await withFolder('work/repo/sub');
  await put(claudeHome.stateFile, accepted(join(folder, '..'), join(folder, 'below')));

  expect(await isFolderTrusted({ claudeHome, folder, trustedRoots: [] })).toBe(false);
});

it.each([
  ['cafe\u0301', 'caf\u00e9'],
  ['caf\u00e9', 'cafe\u0301'],
  ['cafe\u0301 caf\u00e9', 'caf\u00e9 cafe\u0301'],
  ['caf\u00e9/repo', 'cafe\u0301/repo'],
])('trusts neither of two folders with the same name in other characters: %j and %j', async (name, other) => {
  const { claudeHome, folder, root } = await withFolder(join('work', name));
  const namesake = join(root, 'work', other);
  // This is how Claude Code stores it, for either folder.
  await put(claudeHome.stateFile, accepted(folder.normalize('NFC')));
  const trustOf = (one: string) => isFolderTrusted({ claudeHome, folder: one, trustedRoots: [] });
  const trustOfOnlyFolder = await trustOf(folder);
  // On macOS, it is the same folder.
  const isSame = await realPath(namesake).then((real) => real !== undefined);

  await mkdir(namesake, { recursive: true });

  expect([trustOfOnlyFolder, await trustOf(folder), await trustOf(namesake)]).toEqual([true, isSame, isSame]);
});

it('does not trust a folder whose name has the sign for kelvin because of one with K', async () => {
  const { claudeHome, folder, root } = await withFolder('work/K');
  const namesake = join(root, 'work', '\u212a');
  await put(claudeHome.stateFile, accepted(folder));
  const isSame = await realPath(namesake).then((real) => real !== undefined);
  await mkdir(namesake, { recursive: true });
  const trustOf = (one: string) => isFolderTrusted({ claudeHome, folder: one, trustedRoots: [] });

  expect([await trustOf(folder), await trustOf(namesake)]).toEqual([true, isSame]);
});

it('trusts folders in a trusted root, comparing whole names', async () => {
  const { claudeHome, folder, root } = await withFolder('work/repo');
  const ask = (...trustedRoots: string[]) => isFolderTrusted({ claudeHome, folder, trustedRoots });
  await mkdir(join(root, 'wo'));
  await mkdir(join(folder, '..sub'));

  expect(await ask(join(root, 'work'))).toBe(true);
  expect(await ask(folder)).toBe(true);
  expect(await ask(join(root, 'wo'))).toBe(false);
  expect(await ask(join(folder, '..sub'))).toBe(false);
  expect(await ask(join(root, 'missing'), '')).toBe(false);
  expect(await isFolderTrusted({ claudeHome, folder: join(folder, '..sub'), trustedRoots: [folder] })).toBe(
    true,
  );
});

it('follows links on both sides of a trusted root', async () => {
  const { claudeHome, folder, root } = await withFolder('outside/repo');
  await mkdir(join(root, 'trusted'));
  await symlink(folder, join(root, 'trusted', 'escape'));
  await symlink(join(root, 'outside'), join(root, 'alias'));

  const escape = {
    claudeHome,
    folder: join(root, 'trusted', 'escape'),
    trustedRoots: [join(root, 'trusted')],
  };
  expect(await isFolderTrusted(escape)).toBe(false);
  expect(await isFolderTrusted({ claudeHome, folder, trustedRoots: [join(root, 'alias')] })).toBe(true);
});

it('does not trust a missing folder', async () => {
  const { claudeHome, root } = tempHome();
  const folder = join(root, 'missing');
  await put(claudeHome.stateFile, accepted(folder));

  expect(await isFolderTrusted({ claudeHome, folder, trustedRoots: [root] })).toBe(false);
});

it.each([
  ['no file', undefined],
  ['an empty file', ''],
  ['half a file', '{"projects":{"FOLDER":{"hasTrustDialogAccepted":true}'],
  ['no object', '[]'],
  ['projects of another kind', '{"projects":"FOLDER"}'],
  ['an entry of another kind', '{"projects":{"FOLDER":true}}'],
  ['an answer of another kind', '{"projects":{"FOLDER":{"hasTrustDialogAccepted":"true"}}}'],
  ['a refusal', '{"projects":{"FOLDER":{"hasTrustDialogAccepted":false}}}'],
  ['an inherited answer', '{"projects":{"FOLDER":{"__proto__":{"hasTrustDialogAccepted":true}}}}'],
  ['inherited projects', '{"projects":{"__proto__":{"FOLDER":{"hasTrustDialogAccepted":true}}}}'],
])('does not trust a folder with %s', async (_, content) => {
  const { claudeHome, folder } = await withFolder('repo');
  if (content !== undefined) {
    await put(claudeHome.stateFile, content.replace('"FOLDER"', JSON.stringify(folder)));
  }

  expect(await isFolderTrusted({ claudeHome, folder, trustedRoots: [] })).toBe(false);
});

async function withFolder(name: string) {
  const { root, claudeHome } = tempHome();
  const folder = join(root, name);
  await mkdir(folder, { recursive: true });
  return { root, claudeHome, folder };
}

function accepted(...folders: readonly string[]): string {
  const projects = Object.fromEntries(
    folders.map((folder) => [folder.replaceAll('\\', '/'), { hasTrustDialogAccepted: true }]),
  );
  return JSON.stringify({ projects });
}
