import type { Redactor } from '../core/observability/redactor.js';
import { allTokens } from '../core/session/usage.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { UsageSum as SpentSum } from '../sessions/usage-report.js';
import type { CallInput } from './call-inputs.js';
import type { Me, Usage, UsageSum } from './contract.js';
import { anyPerson } from './people.js';
import { visible } from './wording/texts.js';

/** What a person can choose for a new session, and how much of today's budget is left. */
export async function aboutSessions(
  sessions: SessionManager,
): Promise<Pick<Me, 'modes' | 'defaultFolder' | 'budgetTodayUsd'>> {
  const { modes, defaultFolder } = sessions.controls.startChoices(anyPerson);
  const today = await sessions.controls.today();
  return {
    modes,
    defaultFolder,
    budgetTodayUsd: today && { spent: today.spentUsd, limit: today.limitUsd },
  };
}

/** How many of the latest sessions are searched. */
const searched = 200;
const maxFolders = 50;

/** Folders in which a session may start: the roots of the operator, and those in which sessions have worked. */
export async function foldersFor(
  { begin }: CallInput<'folders'>,
  sessions: SessionManager,
): Promise<{ readonly folders: readonly string[] }> {
  const { catalogue, controls } = sessions;
  const { roots, defaultFolder } = controls.startChoices(anyPerson);
  const { entries } = await catalogue.list({ scope: catalogue.widestScope, limit: searched });
  const used = entries.map(({ ours, disk }) => ours?.folder ?? disk?.cwd ?? '');
  const folders = [...new Set([defaultFolder, ...roots, ...used])];
  // A path that is displayed differently from what it is could not be sent back.
  const offered = folders.filter((path) => path !== '' && path.startsWith(begin) && visible(path) === path);
  return { folders: offered.slice(0, maxFolders) };
}

/** Usage by day, project and model. The device belongs to the principal, and so do these sessions. */
export async function usageOf(sessions: SessionManager, redactor: Redactor): Promise<Usage> {
  const { total, days, projects, models } = await sessions.controls.usage({ isForPerson: true });
  return {
    total: sumOf(total),
    days: days.map(({ date, ...sum }) => ({ date, ...sumOf(sum) })),
    projects: projects.map(({ folder = '', ...sum }) => ({
      folder: visible(redactor.redact(folder)),
      ...sumOf(sum),
    })),
    models: models.map(({ model, ...sum }) => ({ model: visible(model), ...sumOf(sum) })),
  };
}

function sumOf({ costUsd, turns, tokens }: SpentSum): UsageSum {
  return { costUsd, turns, tokens: allTokens(tokens) };
}
