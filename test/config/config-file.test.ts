import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { readConfigFile } from '../../src/config/config-file.js';

const isWindows = process.platform === 'win32';
const secret = 'hunter2hunter2hunter2';

let folder = '';
let path = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ccm-config-')));
  path = join(folder, 'config.json');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string, mode = 0o600): string {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function refusal(text: string): string {
  write(text);
  try {
    readConfigFile(path);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('The file was accepted.');
}

describe('a config file', () => {
  it('accepts every kind of value as plain JSON', () => {
    const content = {
      maxSessions: 4,
      maxBudgetUsd: 0.25,
      checkResponds: true,
      allowDiskResume: false,
      history: 'list',
      claudePath: '~/bin/claude',
      stateDir: join(folder, 'state'),
      roots: [join(folder, 'a b'), folder],
      trustedRoots: [],
      preallow: ['Read', 'Bash(a,b)'],
      allowedTools: [],
      resumeSecret: secret,
    };

    const file = readConfigFile(write(JSON.stringify(content)));

    expect({ ...file, values: Object.fromEntries(file.values) }).toEqual({
      path,
      values: content,
      warnings: [],
    });
  });

  it('may contain no settings, begin with a byte order mark, and have a relative path', () => {
    write('\uFEFF{ }\n');

    expect(readConfigFile(relative(process.cwd(), path))).toEqual({ path, values: new Map(), warnings: [] });
  });

  it.each([
    ['maxSessions', '"4"', 'must be a whole number from 1 to 200, without quotes'],
    ['maxSessions', '0', 'must be a whole number from 1 to 200, without quotes'],
    ['maxSessions', '1.5', 'must be a whole number from 1 to 200, without quotes'],
    ['maxSessions', 'null', 'must be a whole number from 1 to 200, without quotes'],
    ['maxBudgetUsd', '-0.01', 'must be a number, 0 or more, such as 2.50, without quotes'],
    ['maxBudgetUsd', '"1"', 'must be a number, 0 or more, such as 2.50, without quotes'],
    ['checkResponds', '1', 'must be true or false, without quotes'],
    ['checkResponds', '"true"', 'must be true or false, without quotes'],
    ['history', '"all"', 'must be one of "off", "list", "resume", "read"'],
    ['history', '["off"]', 'must be one of "off", "list", "resume", "read"'],
    ['claudePath', '""', 'must be a path or a name, in quotes'],
    ['stateDir', '"state"', 'must be an absolute path, in quotes'],
    ['roots', '"/a"', 'must be an array of absolute paths'],
    ['roots', '["/a","b"]', 'must be an array of absolute paths'],
    ['preallow', '"Read"', 'must be an array of texts, none of them empty'],
    ['preallow', '["Read",1]', 'must be an array of texts, none of them empty'],
    ['preallow', '[" "]', 'must be an array of texts, none of them empty'],
  ])('with %s: %s causes an error with file, key, value and accepted values', (key, value, reason) => {
    expect(refusal(`{ "${key}": ${value} }`)).toBe(`${path}: ${key}=${value}: ${reason}`);
  });

  it('is rejected with a number that is too large', () => {
    expect(refusal('{ "maxBudgetUsdPerDay": 1e999 }')).toContain('maxBudgetUsdPerDay=');
  });

  it.each([
    ['maxSession', 'maxSessions'],
    ['max-sessions', 'maxSessions'],
    ['MaxSessions', 'maxSessions'],
    ['CLAUDE_CODE_MCP_MAX_SESSIONS', 'maxSessions'],
    ['allowSensitiveSessionDetails', 'allowSensitiveDetails'],
    ['rootz', 'roots'],
  ])('with the key %s suggests the nearest key', (key, meant) => {
    expect(refusal(JSON.stringify({ [key]: 1 }))).toBe(
      `${path}: "${key}" is not a setting: did you mean ${meant}? Run claude-code-mcp config to list all settings.`,
    );
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '$schema', ''])(
    'with the key %j is rejected',
    (key) => {
      expect(refusal(`{ "maxSessions": 4, "${key}": { "maxSessions": 5 } }`)).toBe(
        `${path}: "${key}" is not a setting. Run claude-code-mcp config to list all settings.`,
      );
    },
  );

  it.each(['[]', '"text"', '4', 'null', 'true'])(
    'is rejected when it contains %s instead of an object',
    (text) => {
      expect(refusal(text)).toBe(`${path}: must be a JSON object, such as { "maxSessions": 4 }`);
    },
  );

  it.each([
    ['', ''],
    ['{', ' at line 1, column 2'],
    ['{\n  "maxSessions": 4,\n}', ' at line 3, column 1'],
    ['\uFEFF{', ' at line 1, column 2'],
  ])('is rejected with the position of the error when it is not JSON: %j', (text, place) => {
    const hint = 'JSON allows no comments, and no comma after the last value.';
    expect(refusal(text)).toMatch(/^.*: is not valid JSON/);
    // Where Node tells the place depends on its version.
    expect([`${path}: is not valid JSON${place}. ${hint}`, `${path}: is not valid JSON. ${hint}`]).toContain(
      refusal(text),
    );
  });

  it.each([
    ['{ "approvals": "human",\n  "approvals": "any" }', '"approvals" at line 2, column 3'],
    ['{ "history": "off", "h\\u0069story": "read" }', '"history" at line 1, column 21'],
    ['{ "principals": { "a": { "roots": [], "roots": ["/"] } } }', '"roots" at line 1, column 39'],
  ])('is rejected if one key has two values: %s', (text, which) => {
    expect(refusal(text)).toBe(`${path}: ${which} appears twice. Keep one of them.`);
  });

  it('may have the same key in several objects, and in texts', () => {
    const text =
      '{ "principals": { "a": { "roots": ["/a"] }, "b": { "roots": ["/b"] } }, "preallow": ["{\\"roots\\":1", "roots"] }';

    expect(readConfigFile(write(text)).values.get('preallow')).toEqual(['{"roots":1', 'roots']);
  });

  it.each([
    `{ "resumeSecret": ${secret} }`,
    `{ "resumeSecret": "${secret}" "maxSessions": 4 }`,
    `{ "resumeSecret": ["${secret}"] }`,
    '{ "resumeSecret": "hunter2" }',
    `{ "resumeSecretx": "${secret}" }`,
  ])('never reveals its secret when it is rejected: %s', (text) => {
    expect(refusal(text)).not.toContain('hunter2');
  });
});

describe('the file itself', () => {
  it('must exist', () => {
    const missing = join(folder, 'missing.json');

    expect(() => readConfigFile(missing)).toThrow(
      new ConfigError(`${missing}: file not found. Check --config.`),
    );
  });

  it('must be a file', () => {
    const other = join(folder, 'folder');
    mkdirSync(other);

    expect(() => readConfigFile(other)).toThrow(ConfigError);
  });

  it.skipIf(isWindows)('must not be a symbolic link, not even a broken one', () => {
    write('{}');
    for (const [name, target] of [
      ['link.json', path],
      ['broken.json', '/nowhere'],
    ] as const) {
      const link = join(folder, name);
      symlinkSync(target, link);
      expect(() => readConfigFile(link)).toThrow(
        new ConfigError(`${link}: is a symbolic link. Pass the path of the file that it points to.`),
      );
    }
  });

  it.skipIf(isWindows)('may be inside a folder that is a link, as on macOS', () => {
    write('{}');
    symlinkSync(folder, join(folder, 'here'));

    expect(readConfigFile(join(folder, 'here', 'config.json')).values.size).toBe(0);
  });

  it.skipIf(isWindows).each([0o620, 0o602, 0o666, 0o622])('must not be writable by others: %o', (mode) => {
    write('{}', mode);

    expect(() => readConfigFile(path)).toThrow(
      new ConfigError(`${path}: can be changed by other users. Run: chmod go-w '${path}'`),
    );
  });

  it.skipIf(isWindows)('causes a warning when it contains a secret and others can read it', () => {
    write(JSON.stringify({ resumeSecret: secret }), 0o644);
    expect(readConfigFile(path).warnings).toEqual([
      `${path}: resumeSecret is a secret that other users can read. Run: chmod 600 '${path}'`,
    ]);

    write(JSON.stringify({ maxSessions: 4 }), 0o644);
    expect(readConfigFile(path).warnings).toEqual([]);
  });
});
