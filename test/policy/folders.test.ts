import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { refuseFolder, type FolderBounds } from '../../src/policy/folders.js';

const bounds: FolderBounds = {
  home: '/home/ann',
  stateDir: '/var/state/ours',
  claudeDir: '/home/ann/.claude',
  listed: [],
  trusted: [],
  roots: [],
};

function reasonFor(path: string, changes: Partial<FolderBounds> = {}): string | undefined {
  try {
    refuseFolder('cwd', path, { ...bounds, ...changes }, ['/dotfiles/ssh']);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'PERMISSION_DENIED') throw error;
    return error.message;
  }
}

const own = 'this server stores its own files there';
const home = 'it is the home folder or a parent of it';
const kernel = 'it is where the system shows its processes and devices';
const twice = 'it is where the system has a second name for every file';
const keys = 'it is where programs keep keys and passwords';

describe.skipIf(sep === '\\')('a folder', () => {
  it.each([
    ['/home/ann/project'],
    ['/home/anna'],
    ['/home/bob'],
    ['/srv'],
    ['/var/state/other'],
    ['/var/state/ours2'],
    ['/process'],
    ['/dev/shm/build'],
    ['/srv/proc'],
    ['/.volume'],
    ['/srv/.vol/1'],
    ['/home/ann/.config/nvim'],
    ['/home/ann/.sshd'],
    ['/srv/home/.ssh'],
    ['/dotfiles/vim'],
  ])('%s is accepted', (path) => {
    expect(reasonFor(path)).toBeUndefined();
  });

  it.each([
    ['/home/ann', home],
    ['/home', home],
    ['/var/state/ours', own],
    ['/var/state/ours/sessions', own],
    ['/var/state', own],
    ['/var', own],
    ['/home/ann/.claude', 'it is where Claude Code keeps its settings and credentials'],
    ['/home/ann/.claude/projects', 'it is where Claude Code keeps its settings and credentials'],
    ['/', 'it is the root of the file system'],
    ['/proc', kernel],
    ['/proc/4711', kernel],
    ['/sys/kernel', kernel],
    ['/dev/shm', kernel],
    ['/.vol/16777220/4711', twice],
    ['/.nofollow/Users/ann/.ssh', twice],
    ['/.resolve/1/Users/ann', twice],
    ['/home/ann/.ssh', keys],
    ['/home/ann/.aws/sso/cache', keys],
    ['/home/ann/.config/gh', keys],
    ['/home/ann/.config', keys],
    ['/home/ann/.local/share', keys],
    // Where ~/.ssh leads.
    ['/dotfiles/ssh', keys],
    ['/dotfiles', keys],
  ])('%s is refused: %s', (path, reason) => {
    expect(reasonFor(path)).toBe(`cwd ${path} is not allowed: ${reason}`);
  });

  it('is refused as the home folder even if that contains the state folder, which is the default', () => {
    const stateDir = '/home/ann/.local/state/claude-code-mcp';

    expect(reasonFor('/home/ann', { stateDir })).toBe(`cwd /home/ann is not allowed: ${home}`);
  });

  it('is refused if it contains the keys of this server, or lies among them', () => {
    const keyFolder = '/home/ann/keys/claude-code-mcp';
    const reason = 'this server stores its own files there';

    for (const path of ['/home/ann/keys', keyFolder, `${keyFolder}/sub`])
      expect(reasonFor(path, { keyFolder })).toBe(`cwd ${path} is not allowed: ${reason}`);
    expect(reasonFor('/home/ann/keys/other', { keyFolder })).toBeUndefined();
  });

  it('is accepted if the operator listed exactly this folder', () => {
    expect(reasonFor('/home/ann', { listed: ['/home/ann'] })).toBeUndefined();
    expect(reasonFor('/home', { listed: ['/home/ann'] })).toBe(`cwd /home is not allowed: ${home}`);
    expect(reasonFor('/home/ann', { listed: ['/home'] })).toBe(`cwd /home/ann is not allowed: ${home}`);
    expect(reasonFor('/dev/shm', { listed: ['/dev/shm'] })).toBeUndefined();
    expect(reasonFor('/home/ann/.config', { listed: ['/home/ann/.config'] })).toBeUndefined();
  });

  it('is refused because of our own files even if it is listed', () => {
    expect(reasonFor('/var/state/ours', { listed: ['/var/state/ours'] })).toContain(own);
  });

  it('that contains our own files is refused with its own reason', () => {
    expect(() => refuseFolder('cwd', '/var/state/ours', bounds, [])).toThrow(
      new AppError('folder_has_own_files', { option: 'cwd', path: '/var/state/ours' }),
    );
  });

  it('names the option, and what to do instead', () => {
    expect(() => refuseFolder('additionalDirectories', '/home', bounds, [])).toThrow(
      new AppError('folder_too_wide', {
        option: 'additionalDirectories',
        path: '/home',
        what: 'the home folder or a parent of it',
      }),
    );
  });
});
