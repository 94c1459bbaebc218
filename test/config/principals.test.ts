import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { checkValues } from '../../src/config/config-file.js';
import { loadSettings } from '../../src/config/load.js';
import { narrowedSettings } from '../../src/config/narrowed-settings.js';
import { checkPrincipals } from '../../src/config/principals.js';

const file = '/c.json';

describe('principals in the config file', () => {
  it('have folders, limits and a key of their own', () => {
    const alice = {
      roots: ['/srv/alice'],
      trustedRoots: ['/srv/alice/ours'],
      maxSessions: 2,
      maxBudgetUsd: 1,
      maxBudgetUsdPerDay: 5.5,
      callerTrust: 'standard',
      approvals: 'any',
      apiKeyFile: '/etc/alice.key',
    };

    const { entries } = checkPrincipals(file, { alice, owner: { maxSessions: 3 } });

    expect(Object.fromEntries(entries)).toEqual({ alice, owner: { maxSessions: 3 } });
  });

  it.each(['alice', 'A', '0', 'alice@example.com', 'auth0|5f7c', 'a.b-c_d', 'x'.repeat(100)])(
    'may have the name %s',
    (name) => {
      expect([...checkPrincipals(file, { [name]: {} }).entries.keys()]).toEqual([name]);
    },
  );

  it.each(['', '.', '..', 'a/b', 'a\\b', 'a b', '.hidden', 'a.', '-a', '__proto__', 'é', 'x'.repeat(101)])(
    'may not have the name %j',
    (name) => {
      const content: unknown = JSON.parse(`{${JSON.stringify(name)}: {}}`);

      expect(() => checkPrincipals(file, content)).toThrow(
        /^\/c\.json: principals: ".*is not a name\. Use 1 to/,
      );
    },
  );

  it.each<[string, unknown, string]>([
    ['a list', [], 'principals: must be an object, such as { "alice": { "roots": ["/srv/alice"] } }'],
    ['no object', { alice: 1 }, 'principals.alice: must be an object, such as { "maxSessions": 2 }'],
    [
      'a typo',
      { alice: { root: ['/a'] } },
      'principals.alice: "root" is not a setting of a principal: did you mean roots? Use roots, trustedRoots, maxSessions, maxBudgetUsd, maxBudgetUsdPerDay, callerTrust, approvals, apiKeyFile, runAs.',
    ],
    [
      'another setting',
      { alice: { history: 'off' } },
      'principals.alice: "history" is not a setting of a principal. Use roots, trustedRoots, maxSessions, maxBudgetUsd, maxBudgetUsdPerDay, callerTrust, approvals, apiKeyFile, runAs.',
    ],
    [
      'an invalid value',
      { alice: { maxSessions: '2' } },
      'principals.alice.maxSessions="2": must be a whole number from 1 to 200, without quotes',
    ],
    [
      'a relative folder',
      { alice: { roots: ['srv'] } },
      'principals.alice.roots=["srv"]: must be an array of absolute paths',
    ],
    [
      'names that differ in case',
      { alice: {}, Alice: {} },
      'principals: alice and Alice differ only in case. Rename one.',
    ],
    ['another owner', { Owner: {} }, 'principals: Owner differs from owner only in case. Rename it.'],
    [
      'roots of the owner',
      { owner: { roots: ['/a'] } },
      'principals.owner.roots: not available for the owner. Set roots at the top level of the file.',
    ],
    [
      'a key of the owner',
      { owner: { apiKeyFile: '/a' } },
      'principals.owner.apiKeyFile: not available for the owner. Set ANTHROPIC_API_KEY, or sign in to Claude Code.',
    ],
  ])('stop the start with %s', (_what, content, message) => {
    expect(() => checkPrincipals(file, content)).toThrow(new ConfigError(`${file}: ${message}`));
  });
});

it('may be configured as in the docs', () => {
  const page = readFileSync(new URL('../../docs/service.md', import.meta.url), 'utf8');
  const [, example = ''] = /\n## Principals[^]*?```json\n([^]*?)```/.exec(page) ?? [];
  const { principals, ...content } = JSON.parse(example) as Record<string, unknown>;
  const { settings } = loadSettings({}, {}, { path: file, values: checkValues(file, content), warnings: [] });

  const narrowed = narrowedSettings(settings, checkPrincipals(file, principals));

  expect([...narrowed.keys()]).toEqual(['owner', 'alice', 'ci']);
});
