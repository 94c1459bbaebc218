/** The table that the suite prints. */
import { describePlan } from './kill-plan.js';
import type { KillOutcome } from './kill-scene.js';

export function reportKills(outcomes: readonly KillOutcome[]): string {
  const names = [...new Set(outcomes.map(({ plan }) => plan.phase.name))];
  const rows = names.map((name) =>
    row(
      name,
      outcomes.filter(({ plan }) => plan.phase.name === name),
    ),
  );
  return [header, ...rows, row('all', outcomes)].join('\n');
}

export function reportFailure({ plan, violations }: KillOutcome): string {
  if (violations.length === 0) return '';
  return [describePlan(plan), ...violations.map((violation) => `    ${violation}`), ''].join('\n');
}

const columns = ['kills', 'server', 'claude', 'watchdog', 'both', 'failed', 'gone ms'];
const header = line('phase', columns);

function row(name: string, outcomes: readonly KillOutcome[]): string {
  const of = (victim: string): number => outcomes.filter(({ plan }) => plan.victim === victim).length;
  const times = outcomes.flatMap(({ goneAfterMs }) => goneAfterMs ?? []);
  return line(name, [
    outcomes.length,
    of('server'),
    of('claude'),
    of('watchdog'),
    of('both'),
    outcomes.filter(({ violations }) => violations.length > 0).length,
    times.length === 0 ? '-' : `<= ${Math.max(...times)}`,
  ]);
}

function line(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(30) + cells.map((cell) => String(cell).padStart(10)).join('');
}
