import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { projectKey } from '../../../src/history/settings/folder-trust.js';
import { readProgramServers, readServerList } from '../../../src/history/programs/program-servers.js';
import { garbledName, takesAnyName } from '../../kit/odd-paths.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

it('the programs that servers of the user start are those for all projects, the folder and its repository', async () => {
  const home = temporaryFolder();
  const cwd = join(home, 'repo', 'app');
  for (const folder of [cwd, join(home, 'repo', '.git')]) mkdirSync(folder, { recursive: true });
  const state = {
    mcpServers: {
      remote: { type: 'http', url: 'https://notes.example' },
      notes: { command: 'npx', args: ['-y', 'notes', 7], env: { A: 'a', B: 7 } },
    },
    projects: {
      [projectKey(cwd)]: { mcpServers: { own: { command: 'own' } } },
      [projectKey(join(home, 'repo'))]: { mcpServers: { shared: { command: 'shared' } } },
      '/elsewhere': { mcpServers: { other: { command: 'other' } } },
    },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state));

  expect(await readProgramServers(resolveClaudeHome({ home }), cwd)).toEqual([
    { name: 'notes', command: ['npx', '-y', 'notes'], env: { A: 'a' }, files: [], inFolder: [] },
    { name: 'own', command: ['own'], env: {}, files: [], inFolder: [] },
    { name: 'shared', command: ['shared'], env: {}, files: [], inFolder: [] },
  ]);
});

it.skipIf(process.platform === 'win32')(
  'the files that a command names are known by their real paths and their first lines',
  async () => {
    const home = temporaryFolder();
    const [program, script, link] = ['program', 'script', 'link'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(program, Buffer.from([0x7f, 0x45, 0x4c, 0x46]));
    writeFileSync(script, '#! /usr/bin/env node\n#!/bin/sh\n');
    symlinkSync(script, link);
    const missing = join(home, 'missing');
    const command = [program, link, `--config=${missing}`, home] as const;
    const [first, ...args] = command;
    writeFileSync(
      join(home, '.claude.json'),
      JSON.stringify({ mcpServers: { x: { command: first, args } } }),
    );

    expect(await readProgramServers(resolveClaudeHome({ home }), home)).toEqual([
      {
        name: 'x',
        command,
        env: {},
        files: [
          { path: program, real: program },
          { path: link, real: script, interpreter: '/usr/bin/env node' },
          { path: missing, real: missing },
          { path: home, real: home },
        ],
        inFolder: [],
      },
    ]);
  },
);

it('values that are names of files or packages in the folder are known', async () => {
  const home = temporaryFolder();
  const cwd = join(home, 'app');
  mkdirSync(join(cwd, 'node_modules', 'evil'), { recursive: true });
  writeFileSync(join(cwd, 'server.json'), '');
  const args = [
    '/opt/a.js',
    '--config=server',
    '--file=server.json',
    '--plugin=evil',
    '--key=none',
    '--stdio',
  ];
  const env = { CONFIG: './server.json', KEY: 'none', HOME: home, EMPTY: '' };
  const server = { command: '/usr/bin/node', args, env };
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { x: server } }));

  const [found] = await readProgramServers(resolveClaudeHome({ home }), cwd);

  expect(found?.inFolder).toEqual(['server', 'server.json', 'evil', './server.json']);
});

it('values that are names of files or packages in the folders above, up to that of the repository, are known', async () => {
  const home = temporaryFolder();
  const repository = join(home, 'repo');
  const cwd = join(repository, 'packages', 'a');
  for (const folder of [cwd, join(repository, '.git')]) mkdirSync(folder, { recursive: true });
  mkdirSync(join(repository, 'node_modules', 'evil'), { recursive: true });
  mkdirSync(join(repository, 'packages', 'node_modules', 'worse'), { recursive: true });
  writeFileSync(join(repository, 'server.json'), '');
  writeFileSync(join(home, 'outside'), '');
  const server = { command: '/usr/bin/node', args: ['evil', 'worse', '--config=server', 'outside'] };
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { x: server } }));

  const [found] = await readProgramServers(resolveClaudeHome({ home }), cwd);

  expect(found?.inFolder).toEqual(['evil', 'worse', 'server']);
});

it.skipIf(!takesAnyName)('a file behind a link that cannot be followed has no real path', async () => {
  const home = temporaryFolder();
  const link = join(home, 'link');
  symlinkSync(garbledName('', 'x'), link);
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { x: { command: link } } }));

  const [server] = await readProgramServers(resolveClaudeHome({ home }), home);

  expect(server?.files).toEqual([{ path: link, real: '' }]);
});

it.each([
  [{}, undefined],
  [{ allowedMcpServers: [] }, { names: [], commands: [] }],
  [
    { allowedMcpServers: [{ serverName: 'a' }, { serverCommand: ['b', 'c'] }, { serverUrl: '*' }, 7] },
    { names: ['a'], commands: [['b', 'c']] },
  ],
])('a list of permitted servers in the settings %j is read', async (settings, list) => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings));

  expect(await readServerList(resolveClaudeHome({ home }))).toEqual(list);
});
