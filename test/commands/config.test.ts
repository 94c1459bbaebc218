import { describe, expect, it } from 'vitest';
import { configJson, configText, pageState } from '../../src/commands/config.js';
import type { ConfigFile } from '../../src/config/config-file.js';
import { loadSettings } from '../../src/config/load.js';
import { settingRows } from '../../src/config/settings.js';

const secret = 'hunter2hunter2hunter2';

const file: ConfigFile = {
  path: '/etc/ours.json',
  values: new Map<keyof ReturnType<typeof loadSettings>['settings'], unknown>([
    ['roots', ['/a', '/b c']],
    ['resumeSecret', secret],
  ]),
  warnings: [],
};
const environment = { CLAUDE_CODE_MCP_MAX_SESSIONS: '4', LOG_LEVEL: 'verbose' };
const loaded = loadSettings({ 'max-budget-usd': '2.5' }, environment, file);

const lineOf = (text: string, key: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(`${key} `));

describe('the configuration as text', () => {
  it('lists each setting, with value and source in columns', () => {
    const text = configText(loaded);

    const lines = text.split('\n');
    const keys = lines.slice(1).flatMap((line) => /^\w+/.exec(line)?.[0] ?? []);
    expect(keys.slice(0, settingRows.length)).toEqual(settingRows.map(({ key }) => key));
    const shown = ['roots', 'resumeSecret', 'maxBudgetUsd', 'maxSessions', 'preallow', 'trustedRoots'].map(
      (key) => lineOf(text, key)?.split(/ {2,}/),
    );
    expect(shown).toEqual([
      ['roots', '/a, /b c', 'file /etc/ours.json'],
      ['resumeSecret', '[redacted]', 'file /etc/ours.json'],
      ['maxBudgetUsd', '2.5', 'flag --max-budget-usd'],
      ['maxSessions', '4', 'environment CLAUDE_CODE_MCP_MAX_SESSIONS'],
      ['preallow', '(not set)', 'default'],
      ['trustedRoots', '(none)', 'default'],
    ]);
    const column = lines[0]?.indexOf('FROM') ?? -1;
    expect(lineOf(text, 'maxSessions')?.indexOf('environment')).toBe(column);
    expect(lineOf(text, 'history')?.indexOf('default')).toBe(column);
  });

  it('ends with the warnings', () => {
    expect(configText(loaded).split('\n').slice(-3)).toEqual([
      '',
      'Warning: LOG_LEVEL=verbose is ignored: it must be one of debug, info, warn, error',
      '',
    ]);
    expect(configText(loadSettings({}, {}))).not.toContain('Warning');
  });

  it('keeps its columns despite a long value, and escapes cursor movements', () => {
    const long = `/${'x'.repeat(100)}`;
    const text = configText(loadSettings({ 'claude-path': long, 'state-dir': '/a\u001B[2J\nroots  /b' }, {}));

    const [header = '', ...lines] = text.split('\n');
    const next = lines[lines.findIndex((line) => line.startsWith('claudePath ')) + 1];
    const column = header.indexOf('FROM');
    expect(lineOf(text, 'claudePath')?.endsWith(long)).toBe(true);
    expect(next).toBe(`${' '.repeat(column)}flag --claude-path`);
    expect(lineOf(text, 'history')?.indexOf('default')).toBe(column);
    expect(column).toBeLessThan(80);
    expect(lineOf(text, 'stateDir')).toContain(String.raw`/a\u{1b}[2J\nroots  /b`);
  });
});

describe('the configuration as JSON', () => {
  it('contains each value, its source and the warnings', () => {
    const report = JSON.parse(configJson(loaded)) as { settings: Record<string, unknown> };

    expect(Object.keys(report.settings)).toEqual(settingRows.map(({ key }) => key));
    expect(report).toMatchObject({
      settings: {
        roots: { value: ['/a', '/b c'], source: 'file', name: '/etc/ours.json' },
        resumeSecret: { value: '[redacted]', source: 'file', name: '/etc/ours.json' },
        maxBudgetUsd: { value: 2.5, source: 'flag', name: '--max-budget-usd' },
        maxSessions: { value: 4, source: 'environment', name: 'CLAUDE_CODE_MCP_MAX_SESSIONS' },
        allowDiskResume: { value: true, source: 'default' },
        preallow: { value: null, source: 'default' },
      },
      warnings: ['LOG_LEVEL=verbose is ignored: it must be one of debug, info, warn, error'],
    });
  });
});

it('lists the principals of a service', () => {
  const alice = { roots: ['/srv/alice'], maxSessions: 2 };
  const principals = { file: file.path, entries: new Map([['alice', alice]]) };
  const shared = loadSettings({}, {}, { ...file, principals });

  expect(lineOf(configText(shared), 'principals.alice')?.split(/ {2,}/)).toEqual([
    'principals.alice',
    JSON.stringify(alice),
    'file /etc/ours.json',
  ]);
  expect(JSON.parse(configJson(shared))).toMatchObject({ principals: { alice } });
});

it.each([
  ['a flag', loadSettings({ 'resume-secret': secret }, {})],
  ['a variable', loadSettings({}, { CLAUDE_CODE_MCP_RESUME_SECRET: secret })],
  ['the file', loaded],
])('never shows a secret of %s', (_, with_) => {
  expect(with_.settings.resumeSecret).toBe(secret);
  expect(configText(with_) + configJson(with_)).not.toContain('hunter2');
});

it.each([
  [undefined, false, 'off'],
  ['127.0.0.1:0', false, '127.0.0.1:0'],
  [undefined, true, 'on'],
  ['127.0.0.1:0', true, 'on'],
  ['off', true, 'off'],
] as const)('with web=%s, in a service: %s, the page is %s', (web, isService, state) => {
  expect(pageState({ web }, isService)).toBe(state);
});
