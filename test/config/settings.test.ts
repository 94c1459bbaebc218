import { describe, expect, it } from 'vitest';
import { helpText } from '../../src/config/help.js';
import { parseArguments } from '../../src/config/arguments.js';
import { checkValues } from '../../src/config/config-file.js';
import { loadSettings } from '../../src/config/load.js';
import { depthVariable, ownVariables, settingRows, settings } from '../../src/config/settings.js';

const all = Object.entries(settings);

describe.each(all)('the setting %s', (key, setting) => {
  it('is documented in sentences', () => {
    expect(setting.doc).toMatch(/^[A-Z].*\.$/);
    expect(setting.shape).not.toBe('');
  });

  it('has a flag and variables that are spelled as such', () => {
    expect(setting.flag).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const name of setting.env) expect(name).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(setting.env[0]).toMatch(/^CLAUDE_CODE_/);
  });

  it('has a flag that is its key, so that one can be told from the other', () => {
    expect(setting.flag.replaceAll(/-[a-z]/g, (hit) => hit.slice(1).toUpperCase())).toBe(key);
  });

  it('takes its default from a file too, if it has one', () => {
    const { fallback } = setting;
    const values = fallback === undefined ? {} : { [key]: fallback };

    expect([...checkValues('/f', values)]).toEqual(Object.entries(values));
  });

  it('stands in the help with its flag, its words and its variables', () => {
    const help = helpText('1.2.3');

    const { flag, shape, doc, env, fallback } = setting;
    const number = typeof fallback === 'boolean' ? Number(fallback) : fallback;
    const text = Array.isArray(number) ? number.join(',') : String(number ?? '');
    const shown = text === '' ? '' : ` Default: ${text}.`;
    expect(help).toContain(
      `  --${flag} <${shape}>\n      ${doc}${shown}\n      Environment: ${env.join(', ')}\n`,
    );
  });

  it('is kept from the sessions', () => {
    for (const name of setting.env) expect(ownVariables).toContain(name);
  });
});

it('has no flag and no variable twice', () => {
  const names = all.flatMap(([, { flag, env }]) => [flag, ...env]);

  expect(new Set(names).size).toBe(names.length);
});

it('has defaults that it would accept itself', () => {
  for (const [key, { flag, fallback }] of all) {
    if (typeof fallback !== 'string' && typeof fallback !== 'number') continue;
    const loaded = loadSettings({ [flag]: String(fallback) }, {}).settings;
    expect(loaded[key as keyof typeof loaded]).toBe(fallback);
  }
});

it('keeps the depth from the sessions, which set their own', () => {
  expect(ownVariables).toContain(depthVariable);
});

it('shows the version, the defaults and flags that work', () => {
  const help = helpText('1.2.3');

  expect(help).toMatch(/^claude-code-mcp 1\.2\.3\n/);
  expect(help).toContain('Default: 45000.');
  const example = /claude-code-mcp (--max-sessions .*)$/m.exec(help)?.[1] ?? '';
  expect(() => loadSettings(parseArguments(example.split(' ')).flags, {})).not.toThrow();
  const file = /^ +(\{.*\})$/m.exec(help)?.[1] ?? '';
  expect(checkValues('/f', JSON.parse(file) as object).size).toBe(3);
  expect(help).toContain('  config [--json]\n');
  expect(help).toContain('  --config <file>\n');
});

it('gives no secret a bare name, which another program could print', () => {
  const secrets = settingRows.filter(([, { isSecret }]) => isSecret === true);

  expect(secrets.map(([key, { env }]) => [key, env])).toEqual([
    ['resumeSecret', ['CLAUDE_CODE_MCP_RESUME_SECRET']],
  ]);
});
