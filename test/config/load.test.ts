import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { loadSettings, type Source } from '../../src/config/load.js';
import { settingRows, settings } from '../../src/config/settings.js';

const defaults = Object.fromEntries(Object.entries(settings).map(([key, { fallback }]) => [key, fallback]));

const fromDefaults = Object.fromEntries(settingRows.map(({ key }) => [key, { kind: 'default' }]));

const inEnvironment = (name: string): Source => ({ kind: 'environment', name });

describe('settings', () => {
  it('are the defaults when nothing is configured', () => {
    expect(loadSettings({}, {})).toEqual({ settings: defaults, sources: fromDefaults, warnings: [] });
  });

  it('come from the environment before the defaults, and from flags before both', () => {
    const environment = { CLAUDE_CODE_MCP_MAX_SESSIONS: '4', CLAUDE_CODE_MCP_MAX_WAIT_MS: '1000' };

    const loaded = loadSettings({ 'max-sessions': '7' }, environment);

    expect(loaded).toEqual({
      settings: { ...defaults, maxSessions: 7, maxWaitMs: 1_000 },
      sources: {
        ...fromDefaults,
        maxSessions: { kind: 'flag', name: '--max-sessions' },
        maxWaitMs: inEnvironment('CLAUDE_CODE_MCP_MAX_WAIT_MS'),
      },
      warnings: [],
    });
  });

  it('come from the file before the defaults, and from variables and flags before the file', () => {
    const values = new Map<keyof typeof settings, unknown>([
      ['maxSessions', 2],
      ['maxWaitMs', 2],
      ['maxDepth', 2],
    ]);
    const file = { path: '/etc/ours.json', values, warnings: ['the file is odd'] };
    const environment = { CLAUDE_CODE_MCP_MAX_SESSIONS: '3', CLAUDE_CODE_MCP_MAX_WAIT_MS: '3' };

    const loaded = loadSettings({ 'max-sessions': '4' }, environment, file);

    expect(loaded).toEqual({
      settings: { ...defaults, maxSessions: 4, maxWaitMs: 3, maxDepth: 2 },
      sources: {
        ...fromDefaults,
        maxSessions: { kind: 'flag', name: '--max-sessions' },
        maxWaitMs: inEnvironment('CLAUDE_CODE_MCP_MAX_WAIT_MS'),
        maxDepth: { kind: 'file', name: '/etc/ours.json' },
      },
      warnings: ['the file is odd'],
    });
  });

  it('come from the file when the variable is empty or belongs to another program', () => {
    const values = new Map<keyof typeof settings, unknown>([
      ['maxSessions', 2],
      ['logLevel', 'error'],
    ]);
    const environment = { CLAUDE_CODE_MCP_MAX_SESSIONS: '', LOG_LEVEL: 'verbose' };

    const { settings } = loadSettings({}, environment, { path: '/f', values, warnings: [] });

    expect(settings).toEqual({ ...defaults, maxSessions: 2, logLevel: 'error' });
  });

  it('prefer our own variable to a bare name', () => {
    const environment = { CLAUDE_CODE_MCP_MAX_SESSIONS: '4', MAX_SESSIONS: '9' };

    expect(loadSettings({}, environment).settings.maxSessions).toBe(4);
  });

  it('accept a bare name when our own variable is missing', () => {
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
      sources: {
        ...fromDefaults,
        maxSessions: inEnvironment('MAX_SESSIONS'),
        logLevel: inEnvironment('LOG_LEVEL'),
        eventBufferSize: inEnvironment('EVENT_BUFFER_SIZE'),
        permissionTimeoutMs: inEnvironment('PERMISSION_TIMEOUT_MS'),
      },
      warnings: [],
    });
  });

  it('cannot be changed afterwards', () => {
    const { settings, sources } = loadSettings({}, {});

    expect([Object.isFrozen(settings), Object.isFrozen(sources)]).toEqual([true, true]);
  });
});

describe('a list of names', () => {
  it.each([
    ['async', ['async']],
    ['configure, async', ['async', 'configure']],
    ['sessions', ['sessions']],
    ['async,async', ['async']],
    ['configure', ['configure']],
  ])('such as %s is deduplicated and sorted', (value, expected) => {
    expect(loadSettings({ toolsets: value }, {}).settings.toolsets).toEqual(expected);
  });

  it.each(['async,', ',', 'async,all', 'Async'])('is rejected with an unknown name: %j', (value) => {
    expect(() => loadSettings({ toolsets: value }, {})).toThrow(
      'must be one or more of async, sessions, query, configure, view, codex, separated by commas',
    );
  });
});

describe('an invalid value', () => {
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
    [
      'CLAUDE_CODE_MCP_TOOLSETS',
      'all',
      'must be one or more of async, sessions, query, configure, view, codex, separated by commas',
    ],
    ['CLAUDE_CODE_MCP_HISTORY', 'all', 'must be one of off, list, resume, read'],
    ['CLAUDE_CODE_MCP_MAX_TURNS', '10001', 'must be a whole number from 0 to 10000'],
    ['CLAUDE_CODE_MCP_MAX_BUDGET_USD', '-1', 'must be a number, 0 or more, such as 2.50'],
    ['CLAUDE_CODE_MCP_MAX_BUDGET_USD', '1e3', 'must be a number, 0 or more, such as 2.50'],
    ['CLAUDE_CODE_MCP_MAX_BUDGET_USD', '5 dollars', 'must be a number, 0 or more, such as 2.50'],
    ['CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY', 'Infinity', 'must be a number, 0 or more, such as 2.50'],
    [
      'CLAUDE_CODE_MCP_ROOTS',
      `/a${delimiter}b`,
      `must be an absolute path, or several separated by ${delimiter}`,
    ],
    // Otherwise the widest of all roots would be in force.
    ['CLAUDE_CODE_MCP_ROOTS', delimiter, `must be an absolute path, or several separated by ${delimiter}`],
    ['CLAUDE_CODE_MCP_ROOTS', ' ', `must be an absolute path, or several separated by ${delimiter}`],
    [
      'CLAUDE_CODE_DEFAULT_PERMISSION_MODE',
      'bypassPermissions',
      'must be one of default, acceptEdits, plan, dontAsk, auto',
    ],
  ])('of %s=%j stops the server with an error that names it', (name, value, reason) => {
    expect(() => loadSettings({}, { [name]: value })).toThrow(new ConfigError(`${name}=${value}: ${reason}`));
  });

  it('of a flag stops the server with an error that names it', () => {
    expect(() => loadSettings({ 'max-sessions': 'x' }, {})).toThrow(
      new ConfigError('--max-sessions=x: must be a whole number from 1 to 200'),
    );
  });

  it.each([
    [{ 'resume-secret': 'hunter2' }, {}, '--resume-secret'],
    [{}, { CLAUDE_CODE_MCP_RESUME_SECRET: 'hunter2' }, 'CLAUDE_CODE_MCP_RESUME_SECRET'],
    [{}, { CLAUDE_CODE_MCP_RESUME_SECRET: ' '.repeat(20) }, 'CLAUDE_CODE_MCP_RESUME_SECRET'],
  ])('of a secret is not shown: %j %j', (flags, environment, place) => {
    expect(() => loadSettings(flags, environment)).toThrow(
      new ConfigError(`${place}=[redacted]: must be a text of at least 16 characters`),
    );
  });

  it('of a variable does not matter when a flag overrides it', () => {
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

  it.each(['1', '200'])('accept %s, which is just within bounds', (text) => {
    expect(loadSettings({ 'max-sessions': text }, {}).settings.maxSessions).toBe(Number(text));
  });

  it('split folders with the separator of the system', () => {
    const environment = { CLAUDE_CODE_MCP_TRUSTED_ROOTS: ['/a', '', '/b c'].join(delimiter) };

    expect(loadSettings({}, environment).settings.trustedRoots).toEqual(['/a', '/b c']);
  });

  it.each([
    ['0', 0],
    ['2.50', 2.5],
    ['100', 100],
  ])('accept %s as an amount of money', (text, sum) => {
    expect(loadSettings({ 'max-budget-usd': text }, {}).settings.maxBudgetUsd).toBe(sum);
  });

  it('split tools at commas that are not inside a rule', () => {
    const environment = { CLAUDE_CODE_ALLOWED_TOOLS: 'Read, Bash(a,b),,Glob' };

    expect(loadSettings({}, environment).settings.allowedTools).toEqual(['Read', 'Bash(a,b)', 'Glob']);
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

  it('have no list when none is configured', () => {
    expect(loadSettings({}, {}).settings.preallow).toBeUndefined();
  });

  it.each([
    ['approvals', 'CLAUDE_CODE_MCP_APPROVALS', 'people', 'auto, any, human'],
    ['elicitation', 'CLAUDE_CODE_MCP_ELICITATION', 'on', 'auto, off'],
  ])('of %s are a few names, and any other stops the server', (flag, name, value, words) => {
    expect(() => loadSettings({}, { [name]: value })).toThrow(
      new ConfigError(`${name}=${value}: must be one of ${words}`),
    );
    expect(() => loadSettings({ [flag]: value }, {})).toThrow(
      new ConfigError(`--${flag}=${value}: must be one of ${words}`),
    );
  });

  it('treat an empty path as not set', () => {
    expect(loadSettings({}, { CLAUDE_CODE_PATH: '' }).settings.claudePath).toBeUndefined();
    expect(loadSettings({}, { CLAUDE_CODE_PATH: '/opt/claude' }).settings.claudePath).toBe('/opt/claude');
  });
});
