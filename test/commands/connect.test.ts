import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  serveArguments,
  serviceAddress,
  serviceEnvironment,
  serviceToken,
} from '../../src/commands/connect.js';
import { ConfigError } from '../../src/config/config-error.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

describe('the address of a service', () => {
  it.each([
    ['https://agents.example.com/mcp', 'https://agents.example.com/mcp'],
    ['https://agents.example.com', 'https://agents.example.com/mcp'],
    ['https://agents.example.com/mcp/alice', 'https://agents.example.com/mcp/alice'],
    ['http://127.0.0.1:8137/mcp', 'http://127.0.0.1:8137/mcp'],
    ['http://localhost:8137', 'http://localhost:8137/mcp'],
    ['http://[::1]:8137/mcp', 'http://[::1]:8137/mcp'],
  ])('%s is accepted', (typed, url) => {
    expect(serviceAddress(typed)).toBe(url);
  });

  it.each([
    ['http://agents.example.com/mcp', 'unencrypted'],
    ['http://127.0.0.1.example.com/mcp', 'unencrypted'],
    ['http://10.0.0.1/mcp', 'unencrypted'],
    ['agents.example.com', 'not the address of a service'],
    ['file:///mcp', 'not the address of a service'],
    ['https://me:secret@agents.example.com/mcp', 'must not contain a user'],
    ['https://agents.example.com/mcp?token=secret', 'must not contain a user'],
  ])('%s is refused', (typed, words) => {
    expect(() => serviceAddress(typed)).toThrow(ConfigError);
    expect(() => serviceAddress(typed)).toThrow(words);
    expect(() => serviceAddress(typed)).not.toThrow('secret');
  });
});

describe('the token of a service', () => {
  const environment = { CLAUDE_CODE_MCP_TOKEN: ' ccm_environment\n' };

  it('comes from the environment', () => {
    expect(serviceToken(undefined, environment)).toBe('ccm_environment');
  });

  it('comes from the file, if there is one', () => {
    const path = join(temporaryFolder(), 'token');
    writeFileSync(path, 'ccm_file\n', { mode: 0o600 });

    expect(serviceToken(path, environment)).toBe('ccm_file');
  });

  it.each<[string, (path: string) => void, string]>([
    ['does not exist', () => undefined, 'or correct the path.'],
    [
      'other users can read',
      (path) => chmodTo(path, 0o644),
      'other users can read this file. Run: chmod 600',
    ],
    ['other users can change', (path) => chmodTo(path, 0o622), 'other users can change it'],
    ['is a link', (path) => symlinkSync('/dev/null', path), 'it is a symbolic link'],
    ['is empty', (path) => writeFileSync(path, '', { mode: 0o600 }), 'does not contain a token'],
  ])('is not read from a file that %s', (_what, prepare, words) => {
    const path = join(temporaryFolder(), 'token');
    prepare(path);

    expect(() => serviceToken(path, environment)).toThrow(words);
  });

  it.each([{}, { CLAUDE_CODE_MCP_TOKEN: '' }])('is missing in %j', (none) => {
    expect(() => serviceToken(undefined, none)).toThrow('connect needs a token: set CLAUDE_CODE_MCP_TOKEN');
  });
});

function chmodTo(path: string, mode: number): void {
  writeFileSync(path, 'ccm_file');
  chmodSync(path, mode);
}

describe('the service that connect starts', () => {
  it('takes over the flags, and listens on a free port', () => {
    const flags = { roots: '/a', 'max-sessions': '3' };

    expect(serveArguments({ flags, configFile: '/c.json' }, { hasPort: false })).toEqual([
      'serve',
      '--json',
      '--idle-exit=30',
      '--port=0',
      '--config=/c.json',
      '--roots=/a',
      '--max-sessions=3',
    ]);
  });

  it('uses the port that the user has set', () => {
    expect(serveArguments({ flags: {}, configFile: undefined }, { hasPort: true })).not.toContain('--port=0');
  });

  it('does not inherit the token and the folder of one client', () => {
    const environment = { CLAUDE_CODE_MCP_TOKEN: 'x', CLAUDE_PROJECT_DIR: '/a', PATH: '/bin' };

    expect(serviceEnvironment(environment)).toEqual({ PATH: '/bin' });
  });
});
