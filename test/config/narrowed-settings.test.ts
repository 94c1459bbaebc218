import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { loadSettings } from '../../src/config/load.js';
import { narrowedSettings } from '../../src/config/narrowed-settings.js';
import type { PrincipalEntry } from '../../src/config/principals.js';
import type { Settings } from '../../src/config/settings.js';

const { settings: defaults } = loadSettings({}, {});
const service = { ...defaults, approvals: 'any', callerTrust: 'full', maxSessions: 10 } as const;

function narrowed(
  entries: Readonly<Record<string, PrincipalEntry>>,
  settings: Partial<Settings> = {},
): Record<string, Settings> {
  const principals = { file: '/c.json', entries: new Map(Object.entries(entries)) };
  return Object.fromEntries(narrowedSettings({ ...service, ...settings }, principals));
}

describe('the settings of a principal', () => {
  it('are those of the service where its entry says nothing', () => {
    expect(narrowed({ alice: {} })).toEqual({ owner: service, alice: service });
  });

  it('are narrowed by its entry, also for the owner', () => {
    const tight = { approvals: 'human', callerTrust: 'standard', maxSessions: 2, maxBudgetUsd: 1 } as const;

    const { owner, alice } = narrowed({ alice: tight, owner: { approvals: 'auto' } });

    expect(alice).toEqual({ ...service, ...tight });
    expect(owner).toEqual({ ...service, approvals: 'auto' });
  });

  it.each<[PrincipalEntry, Partial<Settings>, string]>([
    [{ maxSessions: 11 }, {}, 'maxSessions=11: must not exceed maxSessions=10 of the service'],
    [
      { maxBudgetUsd: 3 },
      { maxBudgetUsd: 2 },
      'maxBudgetUsd=3: must not exceed maxBudgetUsd=2 of the service',
    ],
    [
      { approvals: 'any' },
      { approvals: 'human' },
      'approvals=any: must not allow more than approvals=human of the service. Set approvals=any for the service, and a narrower value for its other principals.',
    ],
    [
      { approvals: 'auto' },
      { approvals: 'human' },
      'approvals=auto: must not allow more than approvals=human of the service. Set approvals=auto for the service, and a narrower value for its other principals.',
    ],
    [
      { callerTrust: 'full' },
      { callerTrust: 'standard' },
      'callerTrust=full: must not allow more than callerTrust=standard of the service. Set callerTrust=full for the service, and a narrower value for its other principals.',
    ],
  ])('cannot be widened: %j', (entry, settings, message) => {
    expect(() => narrowed({ alice: entry }, settings)).toThrow(
      new ConfigError(`/c.json: principals.alice.${message}`),
    );
  });
});

describe('the budget of a day', () => {
  it('is shared out, and the owner has the rest', () => {
    const shares = { alice: { maxBudgetUsdPerDay: 0.1 }, bob: { maxBudgetUsdPerDay: 0.2 } };

    const { owner, alice, bob } = narrowed(shares, { maxBudgetUsdPerDay: 1 });

    expect([owner, alice, bob].map((one) => one?.maxBudgetUsdPerDay)).toEqual([0.7, 0.1, 0.2]);
  });

  it('limits only those that have one if the service has none', () => {
    const { owner, alice, bob } = narrowed({ alice: { maxBudgetUsdPerDay: 5 }, bob: {} });

    expect([owner, alice, bob].map((one) => one?.maxBudgetUsdPerDay)).toEqual([undefined, 5, undefined]);
  });

  it.each<[Readonly<Record<string, PrincipalEntry>>, string]>([
    [{ alice: {} }, '.alice: needs maxBudgetUsdPerDay, its share of maxBudgetUsdPerDay=5 of the service'],
    [
      { alice: { maxBudgetUsdPerDay: 3 }, bob: { maxBudgetUsdPerDay: 3 } },
      ': the shares of maxBudgetUsdPerDay add up to more than maxBudgetUsdPerDay=5 of the service. Lower one of them.',
    ],
    [
      { alice: { maxBudgetUsdPerDay: 3 }, owner: { maxBudgetUsdPerDay: 3 } },
      ': the shares of maxBudgetUsdPerDay add up to more than maxBudgetUsdPerDay=5 of the service. Lower one of them.',
    ],
  ])('cannot be spent twice: %j', (entries, message) => {
    expect(() => narrowed(entries, { maxBudgetUsdPerDay: 5 })).toThrow(
      new ConfigError(`/c.json: principals${message}`),
    );
  });
});
