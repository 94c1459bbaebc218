import { addTokens, noTokens, usageByModel, type Tokens } from '../core/session/usage.js';
import { isWithinRoots, type FolderBounds } from '../policy/folders.js';
import { dollars } from '../session/budget/totals.js';
import type { UsageLedger, UsageLine } from '../state/money/usage-ledger.js';

/** How many days a report covers. */
export const reportedDays = 31;

export interface UsageSum {
  readonly costUsd: number;
  readonly turns: number;
  readonly tokens: Tokens;
}

/** Recent usage of all servers of this user, limited to the folders that this server may see. */
export interface UsageReport {
  readonly total: UsageSum;
  /** Most recent first. */
  readonly days: readonly (UsageSum & { readonly date: string })[];
  /** Most expensive first. `folder` is set only if the operator lets callers see it. */
  readonly projects: readonly (UsageSum & { readonly folder: string | undefined })[];
  readonly models: readonly (UsageSum & { readonly model: string })[];
}

export interface ReportSettings {
  readonly ledger: UsageLedger;
  readonly bounds: Pick<FolderBounds, 'roots'>;
  readonly mayNameFolders: boolean;
}

/** Sums up the ledger. Folders outside the operator's roots are not counted. */
export async function reportUsage({ ledger, bounds, mayNameFolders }: ReportSettings): Promise<UsageReport> {
  const total = new Sums();
  const days = new Sums();
  const projects = new Sums();
  const models = new Sums();
  for await (const line of ledger.lines(reportedDays)) {
    // A session that is not persisted has no recorded folder, so it cannot be shown to lie inside the roots.
    if (line.cwd === '' ? bounds.roots.length > 0 : !isWithinRoots(line.cwd, bounds)) continue;
    const byModel = usageByModel(line.costUsd, line.modelUsage);
    const sum = sumOf(line, byModel);
    total.add('', sum);
    days.add(line.at.slice(0, 10), sum);
    if (line.cwd !== '') projects.add(line.cwd, sum);
    for (const { model, costUsd, tokens } of byModel)
      models.add(model, { costUsd, tokens, turns: line.turns });
  }
  return {
    total: total.of(''),
    days: days
      .entries()
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      .map(([date, sum]) => ({ date, ...sum })),
    projects: byCost(projects).map(([cwd, sum]) => ({ folder: mayNameFolders ? cwd : undefined, ...sum })),
    models: byCost(models).map(([model, sum]) => ({ model, ...sum })),
  };
}

function sumOf({ costUsd, turns }: UsageLine, byModel: readonly { readonly tokens: Tokens }[]): UsageSum {
  return { costUsd, turns, tokens: byModel.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens) };
}

function byCost(sums: Sums): readonly (readonly [string, UsageSum])[] {
  return sums.entries().toSorted(([, a], [, b]) => b.costUsd - a.costUsd);
}

class Sums {
  readonly #byName = new Map<string, UsageSum>();

  add(name: string, { costUsd, turns, tokens }: UsageSum): void {
    const before = this.of(name);
    this.#byName.set(name, {
      costUsd: dollars(before.costUsd + costUsd),
      turns: before.turns + turns,
      tokens: addTokens(before.tokens, tokens),
    });
  }

  of(name: string): UsageSum {
    return this.#byName.get(name) ?? { costUsd: 0, turns: 0, tokens: noTokens };
  }

  entries(): readonly (readonly [string, UsageSum])[] {
    return [...this.#byName];
  }
}
