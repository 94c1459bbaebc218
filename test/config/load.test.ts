import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadSettings, parseFlags } from '../../src/config/load.js';
import { settings } from '../../src/config/settings.js';

const defaults = Object.fromEntries(Object.entries(settings).map(([key, { fallback }]) => [key, fallback]));

describe('settings', () => {
  it('are the defaults when nobody says anything', () => {
    expect(loadSettings({}, {})).toEqual({ settings: defaults, warnings: [] });
  });

  it('come from the environment before the defaults, and from flags before both', () => {
    const environment = { CLAUDE_CODE_MCP_MAX_SESSIONS: '4', CLAUDE_CODE_MCP_MAX_WAIT_MS: '1000' };

    const loaded = loadSettings({ 'max-sessions': '7' }, environment);

    expect(loaded).toEqual({ settings: { ...defaults, maxSessions: 7, maxWaitMs: 1_000 }, warnings: [] });
  });

  it('prefer our own name to a bare one', () => {
    const environment = { CLAUDE_CODE_MCP_MAX_SESSIONS: '4', MAX_SESSIONS: '9' };

    expect(loadSettings({}, environment).settings.maxSessions).toBe(4);
  });

  it('take a bare name when it is all there is', () => {
    const environment = {
      MAX_SESSIONS: '9',
      LOG_LEVEL: 'debug',
      EVENT_BUFFER_SIZE: '50',
      PERMISSION_TIMEOUT_MS: '0',
    };

    expect(loadSettings({}, environment)).toEqual({
      settings: {
        ...defaults,
        maxSessions: 9,
        logLevel: 'debug',
        eventBufferSize: 50,
        permissionTimeoutMs: 0,
      },
      warnings: [],
    });
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(loadSettings({}, {}).settings)).toBe(true);
  });
});

describe('a bad value', () => {
  it.each([
    ['MAX_SESSIONS', 'many', 'maxSessions', 'must be a whole number from 1 to 200'],
    ['LOG_LEVEL', 'verbose', 'logLevel', 'must be one of debug, info, warn, error'],
    ['EVENT_BUFFER_SIZE', '3', 'eventBufferSize', 'must be a whole number from 10 to 100000'],
  ] as const)('of the bare %s=%s warns and falls back', (name, value, key, reason) => {
    const loaded = loadSettings({}, { [name]: value });

    expect(loaded.warnings).toEqual([`${name}=${value} is ignored: it ${reason}`]);
    expect(loaded.settings[key]).toBe(settings[key].fallback);
  });

  it.each([
    ['CLAUDE_CODE_MCP_MAX_SESSIONS', '0', 'must be a whole number from 1 to 200'],
    ['CLAUDE_CODE_MCP_MAX_SESSIONS', '1.5', 'must be a whole number from 1 to 200'],
    ['CLAUDE_CODE_MCP_MAX_SESSIONS', ' ', 'must be a whole number from 1 to 200'],
    ['CLAUDE_CODE_MCP_MAX_WAIT_MS', '-1', 'must be a whole number from 0 to 3600000'],
    ['CLAUDE_CODE_MCP_LOG_LEVEL', 'INFO', 'must be one of debug, info, warn, error'],
    ['CLAUDE_CODE_MCP_CHECK_RESPONDS', 'yes', 'must be 0 or 1'],
    ['CLAUDE_CODE_MCP_TOOLSETS', 'all', 'must be one of async'],
    [
      'CLAUDE_CODE_DEFAULT_PERMISSION_MODE',
      'bypassPermissions',
      'must be one of default, acceptEdits, plan, dontAsk, auto',
    ],
  ])('of %s=%j stops the start and names it', (name, value, reason) => {
    expect(() => loadSettings({}, { [name]: value })).toThrow(new ConfigError(`${name}=${value}: ${reason}`));
  });

  it('of a flag stops the start and names it', () => {
    expect(() => loadSettings({ 'max-sessions': 'x' }, {})).toThrow(
      new ConfigError('--max-sessions=x: must be a whole number from 1 to 200'),
    );
  });

  it('of a variable does not matter when a flag is given', () => {
    const loaded = loadSettings({ 'max-sessions': '2' }, { CLAUDE_CODE_MCP_MAX_SESSIONS: 'x' });

    expect(loaded.settings.maxSessions).toBe(2);
  });
});

describe('values', () => {
  it.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
    ['', false],
  ])('%j is a switch that is %s', (text, isOn) => {
    const environment = { CLAUDE_CODE_MCP_CHECK_RESPONDS: text };

    expect(loadSettings({}, environment).settings.checkResponds).toBe(isOn);
  });

  it.each(['1', '200'])('take %s, which is just within bounds', (text) => {
    expect(loadSettings({ 'max-sessions': text }, {}).settings.maxSessions).toBe(Number(text));
  });

  it('split folders as the system does', () => {
    const environment = { CLAUDE_CODE_MCP_TRUSTED_ROOTS: ['/a', '', '/b c'].join(delimiter) };

    expect(loadSettings({}, environment).settings.trustedRoots).toEqual(['/a', '/b c']);
  });

  it.each([
    ['Bash', ['Bash']],
    [' Bash , Edit,,', ['Bash', 'Edit']],
    ['*', ['*']],
    ['', []],
    ['Bash(npm run a,b),Edit', ['Bash(npm run a,b)', 'Edit']],
    ['Edit,Bash(a,b,c),Read(x,y)', ['Edit', 'Bash(a,b,c)', 'Read(x,y)']],
    ['Bash(echo (a),b),Edit', ['Bash(echo (a),b)', 'Edit']],
    ['Bash(a,*,(b)),Edit', ['Bash(a,*,(b))', 'Edit']],
  ])('split the list %j at commas outside brackets', (text, expected) => {
    expect(loadSettings({ preallow: text }, {}).settings.preallow).toEqual(expected);
  });

  it('have no list when nobody gives one', () => {
    expect(loadSettings({}, {}).settings.preallow).toBeUndefined();
  });

  it.each([
    ['approvals', 'CLAUDE_CODE_MCP_APPROVALS', 'people', 'auto, any, human'],
    ['elicitation', 'CLAUDE_CODE_MCP_ELICITATION', 'on', 'auto, off'],
  ])('of %s are a few words, and another one stops the start', (flag, name, value, words) => {
    expect(() => loadSettings({}, { [name]: value })).toThrow(
      new ConfigError(`${name}=${value}: must be one of ${words}`),
    );
    expect(() => loadSettings({ [flag]: value }, {})).toThrow(
      new ConfigError(`--${flag}=${value}: must be one of ${words}`),
    );
  });

  it('take an empty path for none', () => {
    expect(loadSettings({}, { CLAUDE_CODE_PATH: '' }).settings.claudePath).toBeUndefined();
    expect(loadSettings({}, { CLAUDE_CODE_PATH: '/opt/claude' }).settings.claudePath).toBe('/opt/claude');
  });
});

describe('flags', () => {
  it('are read by name', () => {
    expect(parseFlags(['--max-sessions', '3', '--log-level=debug'])).toEqual({
      flags: { 'max-sessions': '3', 'log-level': 'debug' },
      help: false,
      version: false,
    });
  });

  it.each([
    [['--help'], { flags: {}, help: true, version: false }],
    [['-h'], { flags: {}, help: true, version: false }],
    [['--version'], { flags: {}, help: false, version: true }],
    [['-v'], { flags: {}, help: false, version: true }],
    [[], { flags: {}, help: false, version: false }],
  ])('understand %j', (args, expected) => {
    expect(parseFlags(args)).toEqual(expected);
  });

  it.each([
    [['--max-session', '3'], '--max-session'],
    [['serve'], 'serve'],
    [['--max-sessions'], '--max-sessions'],
  ])('stop the start for %j and say where to look', (args, named) => {
    expect(() => parseFlags(args)).toThrow(ConfigError);
    expect(() => parseFlags(args)).toThrow(named);
    expect(() => parseFlags(args)).toThrow('Run claude-code-mcp --help for the flags.');
  });
});
