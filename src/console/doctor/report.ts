import { escapeHidden } from '../../core/text/escape.js';
import type { Paint } from '../terminal/paint.js';
import { wrap } from '../terminal/wrap.js';
import type { Finding, Section } from './check.js';

export interface Report {
  readonly ok: boolean;
  readonly checks: readonly Finding[];
}

export function reportOf(sections: readonly Section[]): Report {
  const checks = sections.flatMap(({ findings }) => findings);
  return { ok: checks.every(({ status }) => status !== 'fail'), checks };
}

const marks = { ok: '✓', warn: '!', fail: '✗' } as const;
const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export interface Layout {
  readonly paint: Paint;
  /** Undefined: lines are not broken. */
  readonly columns: number | undefined;
}

export function reportText(sections: readonly Section[], layout: Layout): string {
  const shown = sections.filter(({ findings }) => findings.length > 0);
  const blocks = shown.map(({ title, findings }) =>
    [layout.paint('bold', title), ...findings.map((finding) => findingText(finding, layout))].join('\n'),
  );
  const report = reportOf(sections);
  return `${[...blocks, summary(report, layout)].join('\n\n')}\n`;
}

function findingText({ status, message, fix }: Finding, { paint, columns }: Layout): string {
  const mark = paint(colors[status], marks[status]);
  const lines = wrap(plain(message), columns && columns - indent.length);
  const text = `  ${mark} ${lines.join(`\n${indent}`)}`;
  if (fix === undefined) return text;
  const steps = wrap(plain(fix), columns && columns - indent.length - arrow.length);
  return `${text}\n${indent}${paint('cyan', arrow)}${steps.join(`\n${indent}${' '.repeat(arrow.length)}`)}`;
}

/** Messages quote files and programs. */
function plain(text: string): string {
  return escapeHidden(text.replaceAll(/\s+/g, ' '));
}

const indent = '    ';
const arrow = '→ ';

function summary({ checks }: Report, { paint }: Layout): string {
  const count = (status: Finding['status']): number =>
    checks.filter((finding) => finding.status === status).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed > 0)
    return paint(
      'red',
      `${plural(failed, 'problem')} to solve${warned > 0 ? `, ${plural(warned, 'warning')}` : ''}.`,
    );
  if (warned > 0) return paint('yellow', `Ready, with ${plural(warned, 'warning')}.`);
  return paint('green', 'Everything works.');
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
