import { describe, expect, it } from 'vitest';
import { checkedBefore } from '../../../src/policy/approvals.js';
import { resolveOptions } from '../../../src/policy/resolve-options.js';
import {
  isIndependent,
  judgeServers,
  type NamedFile,
  type StartedServer,
} from '../../../src/policy/servers/started.js';
import { plainFacts, plainPolicy } from '../../kit/policy.js';

type Command = StartedServer['command'];

const cwd = '/srv/repo/app';
const folders = [cwd, '/srv/repo'];

/** The programs of a machine, and what the first line of each script says. */
const scripts: Readonly<Record<string, Omit<NamedFile, 'path'>>> = {
  '/usr/bin/npx': { real: '/usr/lib/node_modules/npm/bin/npx-cli.js', interpreter: '/usr/bin/env node' },
  '/usr/bin/x': { real: '/usr/lib/node_modules/npm/bin/npx-cli.js', interpreter: '/usr/bin/env node' },
  '/home/u/bin/node': { real: '/usr/local/bin/mise' },
  '/home/u/.asdf/shims/node': { real: '/home/u/.asdf/shims/node', interpreter: '/usr/bin/env bash' },
  '/home/u/bin/notes': { real: '/home/u/bin/notes', interpreter: '/bin/sh' },
  '/home/u/bin/served': { real: '/home/u/bin/served', interpreter: '/usr/bin/env -S npx tsx' },
  '/home/u/bin/module': { real: '/home/u/bin/module', interpreter: '/usr/bin/python3 -m' },
  '/home/u/bin/inside': { real: '/home/u/bin/inside', interpreter: '/srv/repo/.venv/bin/python3' },
  '/home/u/bin/bunny': { real: '/home/u/bin/bunny', interpreter: '/usr/bin/env bun' },
  '/home/u/bin/link': { real: '/srv/repo/server' },
  '/home/u/bin/unknown': { real: '' },
  '/home/u/.local/bin/mcp-notes': {
    real: '/home/u/venv/bin/mcp-notes',
    interpreter: '/home/u/venv/bin/python3 -sE',
  },
  '/usr/bin/mcp-files': {
    real: '/usr/lib/node_modules/mcp-files/index.js',
    interpreter: '/usr/bin/env node',
  },
};

function serverWith(command: Command, env: StartedServer['env'] = {}): StartedServer {
  const files = command
    .map((word) => word.replace(/^--?\w[\w-]*=/, ''))
    .filter((word) => word.startsWith('/'))
    .map((path) => ({ path, ...(scripts[path] ?? { real: path }) }));
  return { name: 'notes', command, env, files };
}

describe('a server of the user in an untrusted folder', () => {
  it.each<[command: Command]>([
    // Programs that are found by their names, or in the folder.
    [['npx', '-y', 'some-mcp']],
    [['node', '/opt/server.js']],
    [['./server']],
    [['/srv/repo/server']],
    [['/srv/repo/app/server']],
    [['/home/u/bin/link']],
    [['/usr/bin/node', 'server.js']],
    [['/usr/bin/node', '/srv/repo/server.js']],
    [['/usr/bin/node', '/home/u/bin/link']],
    [['/usr/bin/node', '/home/u/bin/unknown']],
    [['${PWD}/server']],
    [['/opt/${NAME}/server']],
    // Package runners, under any name and through any program.
    [['/usr/bin/npx', '-y', 'some-mcp']],
    [['/usr/bin/x', '-y', 'some-mcp']],
    [['/usr/bin/node', '/usr/lib/node_modules/npm/bin/npx-cli.js', '-y', 'some-mcp']],
    [['/usr/bin/node', '/usr/lib/node_modules/npm/bin/npx-cli.js', '--package=some-mcp']],
    [['/usr/bin/node', '/opt/node_modules/tsx/dist/cli.mjs', '/opt/server.ts']],
    [['/usr/bin/node', '/opt/pnpm.cjs', 'dlx', 'some-mcp']],
    [['/usr/bin/python3', '/opt/lib/site-packages/uv/__main__.py', 'run']],
    [['/usr/bin/env', '/usr/bin/npx', '--no', 'some-mcp']],
    [['/usr/bin/setsid', '/usr/bin/npx']],
    [['/opt/unknown', '/usr/bin/npx']],
    [['/opt/unknown', 'run']],
    [['/opt/uvx3.12']],
    [['C:\\nodejs\\npx.cmd', 'some-mcp']],
    // Programs that the folder configures, or that may be such.
    [['/opt/server']],
    [['/opt/server', '--stdio']],
    [['/opt/node_modules/.bin/tsx', '/opt/server.ts']],
    [['/home/u/bin/bunny']],
    [['/usr/bin/ruby', '/opt/server.rb']],
    [['/usr/bin/bun', '/opt/server.ts']],
    [['/usr/bin/make']],
    [['/usr/bin/Rscript', '/opt/server.R']],
    // Interpreters with anything but a script.
    [['/usr/bin/python3', '-m', 'some_mcp']],
    [['/usr/bin/python3', '-msome_mcp']],
    [['/usr/bin/node', '--require=some-mcp', '/opt/server.js']],
    [['/usr/bin/node']],
    // Shells and scripts of shells, which run programs by name.
    [['/bin/sh', '/opt/server.sh']],
    [['/bin/sh', '-c', 'npx some-mcp']],
    [['/home/u/bin/notes']],
    [['/usr/bin/node', '/home/u/bin/notes']],
    // Version managers that follow a file of the folder.
    [['/home/u/bin/node', '/opt/server.js']],
    [['/home/u/.asdf/shims/node', '/opt/server.js']],
    // First lines that run more than a script.
    [['/home/u/bin/served']],
    [['/home/u/bin/module']],
    [['/home/u/bin/inside']],
    // Further arguments that name a file of the folder or a program.
    [['/usr/bin/node', '/opt/server.js', '.']],
    [['/usr/bin/node', '/opt/server.js', 'some-mcp']],
    [['/usr/bin/node', '/opt/server.js', '/usr/bin/npx']],
    [['/usr/bin/node', '/opt/server.js', '--config=./x.js']],
    [['/usr/bin/node', '/opt/server.js', '--config=x/y.js']],
    [['/usr/bin/node', '/opt/server.js', '--runner=npx']],
    [['/usr/bin/node', '/opt/server.js', '--config=/srv/repo/x.js']],
  ])('is withheld if the folder could supply its program: %j', (command) => {
    expect(isIndependent(serverWith(command), folders)).toBe(false);
  });

  it('is withheld at once if a word is longer than any path', () => {
    const long = `/usr/bin/${'1'.repeat(200_000)}x`;
    const start = performance.now();

    expect(isIndependent(serverWith([long]), folders)).toBe(false);
    expect(isIndependent(serverWith(['/usr/bin/node', '/opt/server.js', `--name=${long}`]), folders)).toBe(
      false,
    );
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it.each<[command: Command]>([
    [['/usr/bin/node', '/opt/server.js']],
    [['/usr/bin/node', '/opt/server.js', '--stdio', 'stdio']],
    [['/usr/bin/node', '/opt/git.js', '--api-key=abc', '-v', '--port=3000', '3000']],
    [['/usr/bin/node', '/opt/server.js', 'https://example.com/mcp', '/home/u/notes']],
    [['/usr/bin/node', '/opt/node_modules/@playwright/mcp/cli.js', '--headless']],
    [['/usr/bin/python3.12', '/opt/server.py']],
    [['/home/u/.local/bin/mcp-notes', '--verbose']],
    [['/usr/bin/mcp-files', '/home/u/notes']],
  ])('starts if it certainly runs other files: %j', (command) => {
    expect(isIndependent(serverWith(command), folders)).toBe(true);
  });

  it.each<[env: StartedServer['env'], isStarted: boolean]>([
    [{ API_KEY: './x', NODE_ENV: 'production' }, true],
    [{ PATH: '/opt/node/bin:/usr/bin', NODE_OPTIONS: '--max-old-space-size=4096' }, true],
    [{ PATH: './node_modules/.bin:/usr/bin' }, false],
    [{ Path: '/srv/repo/node_modules/.bin' }, false],
    [{ PATH: '/usr/bin:${PWD}' }, false],
    [{ CONFIG: '${PWD}/notes.json' }, false],
    [{ CONFIG: '${OLDPWD:-/srv}/notes.json' }, false],
    [{ CONFIG: '${CLAUDE_PROJECT_DIR:-.}/notes.json' }, false],
    [{ URL: '${URL:-https://example.com}', LEVEL: '${LEVEL:-info}' }, true],
    [{ CONFIG: '${HOME}/notes.json', KEY: '${PWDLESS_KEY}' }, true],
    [{ PYTHONPATH: ':/opt/lib' }, false],
    [{ NODE_OPTIONS: '--require ./x.js' }, false],
    [{ NODE_OPTIONS: '--import=x' }, false],
    [{ LD_PRELOAD: './x.so' }, false],
    [{ npm_config_prefix: '.' }, false],
  ])('is judged by its variables, too: %j', (env, isStarted) => {
    expect(isIndependent(serverWith(['/usr/bin/node', '/opt/server.js'], env), folders)).toBe(isStarted);
  });

  it.each<[args: string[], env: StartedServer['env'], isStarted: boolean]>([
    [['--config=server.json'], {}, false],
    [['--plugin=evil'], {}, false],
    [['--key=abc', '--port=3000'], { KEY: 'abc', NODE_ENV: 'production' }, true],
    [[], { CONFIG: 'server.json' }, false],
    [[], { CONFIG: './server.json' }, false],
    [[], { CONFIG: '/srv/repo/app/server.json' }, false],
    [[], { CONFIG: '/home/u/server.json' }, true],
  ])('is judged by what its values name in the folder: %j %j', (args, env, isStarted) => {
    const inFolder = ['server.json', './server.json', 'evil', 'production', '3000'];
    const server = { ...serverWith(['/usr/bin/node', '/opt/server.js', ...args], env), inFolder };

    expect(isIndependent(server, folders)).toBe(isStarted);
  });

  it.each<[name: string, ofCaller: Record<string, object>[]]>([
    ['my notes', []],
    ['notes', [{ notes: { type: 'http' } }]],
  ])('is named by its command if its name would not do: %s', (name, ofCaller) => {
    const command: Command = ['npx', 'some-mcp'];
    const server = { ...serverWith(command), name };

    expect(judgeServers([server], { folders, ofCaller, list: undefined }).withheld).toEqual([
      { name, entry: { serverCommand: command } },
    ]);
  });

  it('is withheld from the session; in a trusted folder it is not', () => {
    const programServers = [serverWith(['npx', 'some-mcp']), serverWith(['/usr/bin/mcp-files'])];
    const resolve = (isCwdTrusted: boolean) => {
      const { withheldServers, startableServers, untrustedFolders } = resolveOptions({
        requested: {},
        facts: {
          ...plainFacts,
          cwd,
          repositoryRoots: ['/srv/repo'],
          isTrusted: isCwdTrusted,
          isCwdTrusted,
          programServers,
        },
        policy: plainPolicy,
        standing: checkedBefore,
      });
      return { withheldServers, startableServers, untrustedFolders };
    };

    expect([resolve(false), resolve(true)]).toEqual([
      {
        withheldServers: [{ name: 'notes', entry: { serverName: 'notes' } }],
        startableServers: { commands: [['/usr/bin/mcp-files']], isListed: false },
        untrustedFolders: folders,
      },
      { withheldServers: undefined, startableServers: undefined, untrustedFolders: undefined },
    ]);
  });
});

describe('the servers that may start in an untrusted folder', () => {
  const independent = serverWith(['/usr/bin/mcp-files', '--stdio']);

  it('include those of a trusted caller and of its agents', () => {
    const ofCaller = [
      { a: { command: 'npx', args: ['a'] }, b: { type: 'http', url: 'x' } },
      { c: { command: 'c' } },
    ];

    expect(judgeServers([independent], { folders, ofCaller, list: undefined }).startable).toEqual({
      commands: [['/usr/bin/mcp-files', '--stdio'], ['npx', 'a'], ['c']],
      isListed: false,
    });
  });

  it.each<[names: string[], commands: string[][], isStarted: boolean]>([
    [['notes'], [], true],
    [['other'], [], false],
    [['other'], [['/usr/bin/mcp-files', '--stdio']], true],
    [['notes'], [['/usr/bin/mcp-files']], false],
    [[], [], false],
  ])('are no more than a list of the user permits: names %j, commands %j', (names, commands, isStarted) => {
    const { startable } = judgeServers([independent], { folders, ofCaller: [], list: { names, commands } });

    expect(startable).toEqual({ commands: isStarted ? [independent.command] : [], isListed: true });
  });
});
