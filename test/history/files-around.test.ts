import { mkdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesAround } from '../../src/history/settings/files-around.js';
import { put, tempHome } from './support/temp-home.js';

const folder = 'outer/middle/inner';

/** What is found around the inner folder if there are these files and folders, below the temporary folder. */
async function around(...paths: readonly string[]): Promise<readonly string[]> {
  const { root } = tempHome();
  for (const path of [folder, ...paths]) {
    if (path.endsWith('.json')) await put(join(root, path), '{}');
    else await mkdir(join(root, path), { recursive: true });
  }
  const found = await filesAround(join(root, folder), join(root, 'home'));
  return found.map(({ path }) => relative(root, path)).toSorted();
}

describe('what Claude Code runs for a folder from the folders around it', () => {
  it.each(['agents', 'commands', 'skills', 'workflows'])(
    'includes %s of every folder above',
    async (kind) => {
      const [far, near] = [`outer/.claude/${kind}`, `outer/middle/.claude/${kind}`];

      expect(await around(far, near, `${folder}/.claude/${kind}`)).toEqual([far, near]);
    },
  );

  it.each(['outer/middle/.git', `${folder}/.git`])(
    'has no agents of folders above a repository: %s',
    async (git) => {
      expect(await around(git, 'outer/.claude/agents')).toEqual([]);
    },
  );

  it('includes agents of the repository', async () => {
    expect(await around('outer/.git', 'outer/.claude/agents')).toEqual(['outer/.claude/agents']);
  });

  it('includes those of the main worktree, and its local settings', async () => {
    const { root } = tempHome();
    const [main, inner] = [join(root, 'main'), join(root, 'inner')];
    await mkdir(join(main, '.claude', 'agents'), { recursive: true });
    await put(join(main, '.claude', 'settings.local.json'), '{}');
    await put(join(main, '.git', 'worktrees', 'inner', 'commondir'), '../..\n');
    await put(join(inner, '.git'), `gitdir: ${join(main, '.git', 'worktrees', 'inner')}\n`);

    expect(await filesAround(inner, join(root, 'home'))).toEqual([
      { folder: main, path: join(main, '.claude', 'settings.local.json') },
      { folder: main, path: join(main, '.claude', 'agents') },
    ]);
  });

  it('does not include what is in the home folder, which is the user’s', async () => {
    const { root } = tempHome();
    const [home, inner] = [join(root, 'home'), join(root, 'home', 'work', 'inner')];
    for (const at of [root, home, join(home, 'work')])
      await mkdir(join(at, '.claude', 'agents'), { recursive: true });
    await mkdir(inner);

    expect(await filesAround(inner, home)).toEqual([
      { folder: join(home, 'work'), path: join(home, 'work', '.claude', 'agents') },
    ]);
  });

  it('includes MCP servers of all folders above, also above a repository', async () => {
    expect(await around('outer/middle/.git', 'outer/.mcp.json')).toEqual(['outer/.mcp.json']);
  });

  it('follows no link in place of a repository that leads nowhere', async () => {
    const { root } = tempHome();
    await mkdir(join(root, folder), { recursive: true });
    await mkdir(join(root, 'outer', '.claude', 'agents'), { recursive: true });
    await symlink(join(root, 'nowhere'), join(root, 'outer', 'middle', '.git'));

    const found = await filesAround(join(root, folder), join(root, 'home'));

    expect(found.map((file) => file.folder)).toEqual([join(root, 'outer')]);
  });
});
