import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPermissionRules } from '../../src/history/settings/permission-rules.js';
import { put, tempHome } from './support/temp-home.js';

const denying = (...deny: string[]) => JSON.stringify({ permissions: { deny } });

async function createScene() {
  const { claudeHome } = tempHome();
  const root = join(claudeHome.home, 'work');
  const repository = join(root, 'repo');
  const home = { ...claudeHome, managedDir: join(claudeHome.home, 'managed') };
  await mkdir(join(repository, '.git'), { recursive: true });
  return { home, root, repository, read: (cwd = repository) => readPermissionRules(home, cwd) };
}

describe('the rules for a folder', () => {
  it('come from the machine, the user, the project and its local settings', async () => {
    const { home, repository, read } = await createScene();
    const permissions = { allow: ['Read'], ask: ['Bash(b)'], deny: ['Bash(c)', 7] };
    await put(home.settingsFile, JSON.stringify({ permissions }));
    await put(join(home.managedDir, 'managed-settings.json'), denying('Bash(m)'));
    await put(join(home.managedDir, 'managed-settings.d', '10-more.json'), denying('Bash(more)'));
    await put(join(home.managedDir, 'managed-settings.d', 'notes.txt'), denying('Bash(no)'));
    await put(join(repository, '.claude', 'settings.json'), denying('Bash(p)'));
    await put(join(repository, '.claude', 'settings.local.json'), denying('Bash(l)'));

    const { managed, user, project, local } = await read();

    expect(user).toEqual({ allow: ['Read'], ask: ['Bash(b)'], deny: ['Bash(c)'] });
    expect([managed, project, local].map(({ deny }) => deny)).toEqual([
      ['Bash(m)', 'Bash(more)'],
      ['Bash(p)'],
      ['Bash(l)'],
    ]);
  });

  it('include the local settings of the repository, but not its project settings', async () => {
    const { repository, read } = await createScene();
    const folder = join(repository, 'packages', 'a');
    await mkdir(folder, { recursive: true });
    await put(join(repository, '.claude', 'settings.json'), denying('Bash(p)'));
    await put(join(repository, '.claude', 'settings.local.json'), denying('Bash(root)'));
    await put(join(folder, '.claude', 'settings.local.json'), denying('Bash(own)'));

    const { project, local } = await read(folder);

    expect({ project: project.deny, local: local.deny }).toEqual({
      project: [],
      local: ['Bash(own)', 'Bash(root)'],
    });
  });

  it.each(['utf8', 'utf16le'] as const)(
    'are read from a file with a byte order mark: %s',
    async (encoding) => {
      const { repository, read } = await createScene();
      const file = join(repository, '.claude', 'settings.local.json');
      await put(file, '');
      await writeFile(file, `\uFEFF${denying('Bash(marked)')}`, encoding);

      const { local } = await read();

      expect(local.deny).toEqual(['Bash(marked)']);
    },
  );

  it('include the local settings of a repository whose git folder is a link', async () => {
    const { root, read } = await createScene();
    const [linked, elsewhere] = [join(root, 'linked'), join(root, 'elsewhere.git')];
    await Promise.all([join(linked, 'sub'), elsewhere].map((folder) => mkdir(folder, { recursive: true })));
    await symlink(elsewhere, join(linked, '.git'), 'junction');
    await put(join(linked, '.claude', 'settings.local.json'), denying('Bash(root)'));

    const { local } = await read(join(linked, 'sub'));

    expect(local.deny).toEqual(['Bash(root)']);
  });

  it('include the local settings of the main worktree', async () => {
    const { root, repository, read } = await createScene();
    const gitDir = join(repository, '.git', 'worktrees', 'tree');
    await put(join(gitDir, 'commondir'), '../..\n');
    await put(join(root, 'tree', '.git'), `gitdir: ${gitDir}\n`);
    await put(join(repository, '.claude', 'settings.local.json'), denying('Bash(main)'));

    const { local } = await read(join(root, 'tree'));

    expect(local.deny).toEqual(['Bash(main)']);
  });

  it.each(['', 'null', '[]', '{"permissions":{"deny":"Bash"}}', '{"permissions":{"de'])(
    'are none in %j',
    async (content) => {
      const { home, read } = await createScene();
      await put(home.settingsFile, content);

      expect((await read()).user).toEqual({ allow: [], ask: [], deny: [] });
    },
  );

  it.each(['settings.json', 'settings.local.json'])(
    'cannot be read from a %s that would halt the server',
    async (name) => {
      const { repository, read } = await createScene();
      const path = join(repository, '.claude', name);
      await put(path, denying('Bash(x)').padEnd(1024 * 1024 + 1));

      await expect(read()).rejects.toMatchObject({
        reason: 'settings_too_long',
        params: { path, limit: 1024 * 1024 },
      });
    },
  );

  it('are read from a file of the greatest length', async () => {
    const { repository, read } = await createScene();
    await put(join(repository, '.claude', 'settings.local.json'), denying('Bash(x)').padEnd(1024 * 1024));

    expect((await read()).local.deny).toEqual(['Bash(x)']);
  });
});

describe('a path in a rule', () => {
  it('that begins with one slash becomes absolute, because it depends on the settings that contain it', async () => {
    const { home, repository, read } = await createScene();
    const rules = [
      'Read(/s.txt)',
      'Edit(/a/**)',
      'Read(//etc/x)',
      'Read(s.txt)',
      'Read(~/x)',
      'Bash(/bin/x)',
    ];
    await put(join(repository, '.claude', 'settings.local.json'), denying(...rules));
    await put(home.settingsFile, denying('Read(/s.txt)'));

    const { user, local } = await read();

    expect(user.deny).toEqual([`Read(/${home.configDir}/s.txt)`]);
    expect(local.deny).toEqual([
      `Read(/${repository}/s.txt)`,
      `Edit(/${repository}/a/**)`,
      ...rules.slice(2),
    ]);
  });

  it('keeps its meaning in a folder whose name looks like a pattern', async () => {
    const { root, read } = await createScene();
    const folder = join(root, 'we[ir]d *(x)');
    await put(join(folder, '.claude', 'settings.local.json'), denying('Read(/s.txt)'));

    expect((await read(folder)).local.deny).toEqual([`Read(/${root}/we\\[ir\\]d \\*\\(x\\)/s.txt)`]);
  });
});
