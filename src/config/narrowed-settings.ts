import { ConfigError } from './config-error.js';
import { owner, type PrincipalEntry, type Principals } from './principals.js';
import type { Settings } from './settings.js';

type Limit = 'maxSessions' | 'maxBudgetUsd' | 'maxBudgetUsdPerDay';
type Choice = 'callerTrust' | 'approvals';

const limits: readonly Limit[] = ['maxSessions', 'maxBudgetUsd', 'maxBudgetUsdPerDay'];

/** The narrowest value first. */
const choices: Readonly<Record<Choice, readonly string[]>> = {
  callerTrust: ['standard', 'full'],
  approvals: ['human', 'auto', 'any'],
};

/** The settings of each principal: those of the service, narrowed. Throws a ConfigError for an entry that allows more. */
export function narrowedSettings(
  settings: Settings,
  { file, entries }: Principals,
): ReadonlyMap<string, Settings> {
  const all = new Map<string, PrincipalEntry>([[owner, {}], ...entries]);
  const dayBudgets = dayBudgetsOf(settings, { file, entries: all });
  return new Map(
    [...all].map(([name, entry]) => {
      refuseWider(`${file}: principals.${name}`, entry, settings);
      const { roots: _roots, trustedRoots: _trusted, apiKeyFile: _file, runAs: _user, ...narrower } = entry;
      return [name, { ...settings, ...narrower, maxBudgetUsdPerDay: dayBudgets.get(name) }];
    }),
  );
}

function refuseWider(place: string, entry: PrincipalEntry, settings: Settings): void {
  for (const key of limits) {
    const [asked, most] = [entry[key], settings[key]];
    if (asked !== undefined && most !== undefined && asked > most)
      throw new ConfigError(`${place}.${key}=${asked}: must not exceed ${key}=${most} of the service`);
  }
  for (const [key, values] of Object.entries(choices) as [Choice, readonly string[]][]) {
    const asked = entry[key];
    if (asked !== undefined && values.indexOf(asked) > values.indexOf(settings[key]))
      throw new ConfigError(
        `${place}.${key}=${asked}: must not allow more than ${key}=${settings[key]} of the service. Set ${key}=${asked} for the service, and a narrower value for its other principals.`,
      );
  }
}

/** Each principal has its own sum of costs, so the shares must add up to no more than the operator allows. */
function dayBudgetsOf(
  { maxBudgetUsdPerDay: total }: Settings,
  { file, entries }: Principals,
): ReadonlyMap<string, number | undefined> {
  const budgets = new Map([...entries].map(([name, entry]) => [name, entry.maxBudgetUsdPerDay]));
  if (total === undefined) return budgets;
  const others = [...budgets].filter(([name]) => name !== owner);
  const without = others.find(([, usd]) => usd === undefined);
  if (without !== undefined)
    throw new ConfigError(
      `${file}: principals.${without[0]}: needs maxBudgetUsdPerDay, its share of maxBudgetUsdPerDay=${total} of the service`,
    );
  const sum = others.reduce((usd, [, share = 0]) => usd + share, 0);
  const rest = Math.round((total - sum) * 1e8) / 1e8;
  if (rest < (budgets.get(owner) ?? 0))
    throw new ConfigError(
      `${file}: principals: the shares of maxBudgetUsdPerDay add up to more than maxBudgetUsdPerDay=${total} of the service. Lower one of them.`,
    );
  return budgets.set(owner, budgets.get(owner) ?? rest);
}
