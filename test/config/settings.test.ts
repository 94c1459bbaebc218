import { describe, expect, it } from 'vitest';
import { helpText } from '../../src/config/help.js';
import { loadSettings, parseFlags } from '../../src/config/load.js';
import { depthVariable, ownVariables, settings } from '../../src/config/settings.js';

const all = Object.entries(settings);

describe.each(all)('the setting %s', (_, setting) => {
  it('is documented in sentences', () => {
    expect(setting.doc).toMatch(/^[A-Z].*\.$/);
    expect(setting.shape).not.toBe('');
  });

  it('has a flag and variables that are spelled as such', () => {
    expect(setting.flag).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const name of setting.env) expect(name).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(setting.env[0]).toMatch(/^CLAUDE_CODE_/);
  });

  it('stands in the help with its flag, its words and its variables', () => {
    const help = helpText('1.2.3');

    const { flag, shape, doc, env, fallback } = setting;
    const isShown = typeof fallback === 'number' || typeof fallback === 'string';
    const shown = isShown ? ` Default: ${fallback}.` : '';
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
  expect(() => loadSettings(parseFlags(example.split(' ')).flags, {})).not.toThrow();
});
