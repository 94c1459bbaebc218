import { describe, expect, it } from 'vitest';
import { commandNames } from '../../src/config/commands.js';
import { commandHelp, fullHelp, settingsHelp, shortHelp } from '../../src/config/help.js';
import { helpGroups } from '../../src/config/help-groups.js';
import { parseArguments } from '../../src/config/arguments.js';
import { checkValues } from '../../src/config/config-file.js';
import { loadSettings } from '../../src/config/load.js';
import {
  depthVariable,
  ownVariables,
  settingGroups,
  settingRows,
  settings,
} from '../../src/config/settings.js';

describe.each(settingRows.map((row) => [row.key, row] as const))('the setting %s', (key, setting) => {
  it('is documented in sentences', () => {
    expect(setting.doc).toMatch(/^[A-Z].*\.$/);
    expect(setting.kind.shape).not.toBe('');
  });

  it('has a correctly spelled flag and variables', () => {
    expect(setting.flag).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const name of setting.env) expect(name).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(setting.env[0]).toMatch(/^CLAUDE_CODE_/);
  });

  it('derives its flag from its key', () => {
    expect(setting.flag.replaceAll(/-[a-z]/g, (hit) => hit.slice(1).toUpperCase())).toBe(key);
  });

  it('accepts its default from the file, if it has one', () => {
    const { fallback } = setting;
    const values = fallback === undefined ? {} : { [key]: fallback };

    expect([...checkValues('/f', values)]).toEqual(Object.entries(values));
  });

  it('appears in the help with its flag, first sentence, default and variables', () => {
    const { flag, kind, doc, env, fallback } = setting;
    const [rest = ''] = fullHelp('1.2.3').split(`  --${flag} <${kind.shape}>\n`).slice(1);
    const [, lines = ''] = /^((?: {6}.*\n)+)/.exec(rest) ?? [];
    const words = lines.trim().replaceAll(/\n {6}/g, ' ');

    expect(words).toContain(doc.slice(0, doc.indexOf('.') + 1));
    expect(words.endsWith(` [${env.join(', ')}]`)).toBe(true);
    const isPlain = typeof fallback === 'string' || typeof fallback === 'number';
    if (isPlain) expect(words).toContain(` Default: ${fallback}.`);
    if (typeof fallback === 'boolean') expect(words).toContain(` Default: ${fallback ? 1 : 0}.`);
  });

  it('is hidden from sessions', () => {
    for (const name of setting.env) expect(ownVariables).toContain(name);
  });
});

it('has no duplicate flags or variables', () => {
  const names = settingRows.flatMap(({ flag, env }) => [flag, ...env]);

  expect(new Set(names).size).toBe(names.length);
});

it('accepts its own defaults', () => {
  for (const { key, flag, fallback } of settingRows) {
    if (typeof fallback !== 'string' && typeof fallback !== 'number') continue;
    const loaded = loadSettings({ [flag]: String(fallback) }, {}).settings;
    expect(loaded[key]).toBe(fallback);
  }
});

it('hides the depth of the server from sessions, which get their own', () => {
  expect(ownVariables).toContain(depthVariable);
});

it('shows the version, the defaults and working flags', () => {
  const help = fullHelp('1.2.3');

  expect(help).toMatch(/^claude-code-mcp 1\.2\.3\n/);
  expect(help).toContain('Default: 300000.');
  const example = /claude-code-mcp (--max-sessions .*)$/m.exec(help)?.[1] ?? '';
  expect(() => loadSettings(parseArguments(example.split(' ')).flags, {})).not.toThrow();
  const file = /such as (\{.*\})$/m.exec(help)?.[1] ?? '';
  expect(checkValues('/f', JSON.parse(file) as object).size).toBe(2);
  expect(help).toContain('  config [--service] [--json]\n');
  expect(help).toContain('  --config <file>\n');
});

it('is short unless all settings are asked for', () => {
  const help = shortHelp('1.2.3');
  const lines = help.split('\n');

  expect(help).toMatch(/^claude-code-mcp 1\.2\.3\n/);
  expect(help).toContain('  claude-code-mcp install\n');
  expect(help).toContain(`All ${settingRows.length} settings:  claude-code-mcp help settings\n`);
  expect(lines.length).toBeLessThan(40);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

it('mentions every command once, in a group', () => {
  const listed = helpGroups.flatMap(([, rows]) => rows.flatMap(({ of }) => of));

  expect(commandNames.filter((name) => !listed.includes(name))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

it('of settings is about settings only', () => {
  const help = settingsHelp();

  expect(settingRows.filter(({ flag }) => !help.includes(`  --${flag} <`))).toEqual([]);
  expect(help).not.toContain('doctor');
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

it.each(commandNames)('of %s is about that command, with an example that works', (command) => {
  const help = commandHelp(command);

  expect(help).toMatch(new RegExp(`^Usage: claude-code-mcp ${command}\\b`));
  const example = /Example:\n {2}claude-code-mcp (.*)$/m.exec(help)?.[1] ?? '';
  const words = Array.from(example.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
  expect(parseArguments(words).command).toBe(command);
});

it('gives no secret a bare name, which another program could print', () => {
  const secrets = settingRows.filter(({ isSecret }) => isSecret === true);

  expect(secrets.map(({ key, env }) => [key, env])).toEqual([
    ['resumeSecret', ['CLAUDE_CODE_MCP_RESUME_SECRET']],
  ]);
});

it('puts every setting into exactly one group', () => {
  const grouped = settingGroups.flatMap(({ rows }) => rows.map(({ key }) => key));

  expect(grouped.toSorted()).toEqual(Object.keys(settings).toSorted());
});
