import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searchingElsewhere } from '../../../src/backends/shared/search-variables.js';
import { garbledName, takesAnyName } from '../../kit/odd-paths.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

function createScene() {
  const root = temporaryFolder();
  const repository = join(root, 'up', 'repo');
  const cwd = join(repository, 'app');
  const outside = join(root, 'bin');
  for (const folder of [cwd, outside]) mkdirSync(folder, { recursive: true });
  const search = (entries: readonly string[], untrustedFolders: readonly string[] | undefined) =>
    searchingElsewhere({ PATH: entries.join(delimiter), OTHER: 'x' }, { cwd, untrustedFolders });
  return { root, repository, cwd, outside, search, folders: [cwd, repository] };
}

describe('the PATH of a session in an untrusted folder', () => {
  it.each<[what: string, entryIn: (scene: ReturnType<typeof createScene>) => string]>([
    ['relative', () => './node_modules/.bin'],
    ['the folder as a dot', () => '.'],
    ['empty', () => ''],
    ['in the home folder, by a tilde', () => '~/bin'],
    ['in the folder', ({ cwd }) => join(cwd, 'bin')],
    ['in its repository', ({ repository }) => join(repository, 'node_modules', '.bin')],
    ['in a folder above it', ({ root }) => join(root, 'up', 'node_modules', '.bin')],
    ['spelled with dots', ({ outside, repository }) => `${outside}/../up/${repository.split('/').at(-1)}/x`],
  ])('loses an entry that is %s', (_what, entryIn) => {
    const scene = createScene();

    expect(scene.search([entryIn(scene), scene.outside], scene.folders)).toEqual({
      PATH: scene.outside,
      OTHER: 'x',
    });
  });

  it.skipIf(process.platform === 'win32')('loses links into the folder and links in the folder', () => {
    const { root, cwd, outside, search, folders } = createScene();
    const [into, within] = [join(root, 'into'), join(cwd, 'within')];
    symlinkSync(cwd, into);
    symlinkSync(outside, within);

    expect(search([into, join(into, 'bin'), within, outside], folders)).toEqual({
      PATH: outside,
      OTHER: 'x',
    });
  });

  it.skipIf(!takesAnyName)('loses an entry below a link that cannot be followed', () => {
    const { cwd, outside, search, folders } = createScene();
    symlinkSync(garbledName('', 'x'), join(cwd, 'tools'));

    expect(search([join(cwd, 'tools', 'bin'), outside], folders)).toMatchObject({ PATH: outside });
  });

  it('keeps all other entries, in their order', () => {
    const { root, outside, search, folders } = createScene();
    const entries = [outside, join(root, 'missing'), join(root, 'other', 'node_modules', '.bin'), '/usr/bin'];

    expect(search(entries, folders)).toEqual({ PATH: entries.join(delimiter), OTHER: 'x' });
  });

  it('is missing rather than empty, which would mean the folder', () => {
    const { search, folders } = createScene();

    expect(search(['.'], folders)).toEqual({ OTHER: 'x' });
  });
});

it('other lists of folders with code are treated in the same way', () => {
  const { cwd, outside, folders } = createScene();
  const variables = { PYTHONPATH: `${delimiter}${outside}`, NODE_PATH: cwd, LD_LIBRARY_PATH: outside };

  expect(searchingElsewhere(variables, { cwd, untrustedFolders: folders })).toEqual({
    PYTHONPATH: outside,
    LD_LIBRARY_PATH: outside,
  });
});

it.each<[name: string, value: string, isKept: boolean]>([
  ['LD_PRELOAD', 'libjemalloc.so.2 /usr/lib/x.so', true],
  ['LD_PRELOAD', './x.so', false],
  ['LD_PRELOAD', '/usr/lib/x.so:lib/x.so', false],
  ['BASH_ENV', '/home/u/.bashenv', true],
  ['BASH_ENV', '.env', false],
  ['ENV', 'production', true],
  ['SSL_CERT_FILE', 'ca.pem', false],
  ['BASH_ENV', './.bashenv', false],
  ['NODE_OPTIONS', '--max-old-space-size=4096 --require /opt/trace.js --no-warnings', true],
  ['NODE_OPTIONS', '--require ./x.js', false],
  ['NODE_OPTIONS', '--import=trace/init', false],
  ['NODE_OPTIONS', '-r trace', false],
  ['NODE_OPTIONS', '--experimental-default-config-file', false],
  ['BUN_OPTIONS', '--preload ./x.ts', false],
  ['JAVA_TOOL_OPTIONS', '-javaagent:./x.jar', false],
  ['GIT_SSH_COMMAND', 'ssh -i ~/.ssh/key', true],
  ['GIT_SSH_COMMAND', 'tools/ssh', false],
  ['EDITOR', 'vim', true],
  ['HTTPS_PROXY', 'http://proxy:3128', true],
  ['RIPGREP_CONFIG_PATH', '.ripgreprc', false],
  ['RIPGREP_CONFIG_PATH', 'ripgreprc', false],
  ['RIPGREP_CONFIG_PATH', '/home/u/.ripgreprc', true],
  ['GIT_DIR', '.git', false],
  ['TERMINFO_DIRS', '/usr/share/terminfo', true],
  ['SOME_TOOL_RC', './rc', false],
  ['SOME_TOOL_RC', '..', false],
  ['SOME_TOOL_RC', '.rc', true],
  ['SOME_TOOL_RC', 'a/b', true],
  ['NODE_ENV', 'production', true],
])('%s=%s is kept in an untrusted folder: %s', (name, value, isKept) => {
  const { cwd, folders } = createScene();

  expect(searchingElsewhere({ [name]: value }, { cwd, untrustedFolders: folders })).toEqual(
    isKept ? { [name]: value } : {},
  );
});

it('any other variable is not passed on if it names a file of the folder', () => {
  const { cwd, outside, folders } = createScene();
  mkdirSync(join(cwd, 'conf', 'x'), { recursive: true });
  mkdirSync(join(cwd, '.rc'));
  mkdirSync(join(cwd, '1'));
  mkdirSync(join(cwd, 'https:', 'x'), { recursive: true });
  const kept = { PWD: cwd, FLAG: '1', URL: 'https://x', OUTSIDE: join(outside, 'x') };
  const dropped = {
    A_RC: '.rc',
    B: 'conf/x',
    C: join(cwd, 'x'),
    D: ['/usr', join(cwd, 'x')].join(delimiter),
  };

  expect(searchingElsewhere({ ...kept, ...dropped }, { cwd, untrustedFolders: folders })).toEqual(kept);
});

it('a variable that names code of the folder by its absolute path is not passed on', () => {
  const { cwd, folders } = createScene();
  const variables = { LD_PRELOAD: join(cwd, 'x.so'), NODE_OPTIONS: `--require=${join(cwd, 'x.js')}` };

  expect(searchingElsewhere(variables, { cwd, untrustedFolders: folders })).toEqual({});
});

it('the PATH of a session in a trusted folder stays as it is', () => {
  const { cwd, search } = createScene();

  expect(search(['.', cwd], undefined)).toEqual({ PATH: ['.', cwd].join(delimiter), OTHER: 'x' });
});
