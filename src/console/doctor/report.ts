import type { Finding } from './check.js';
import type { Paint } from '../terminal/paint.js';

export interface Report {
  readonly ok: boolean;
  readonly checks: readonly Finding[];
}

export function reportOf(checks: readonly Finding[]): Report {
  return { ok: checks.every(({ status }) => status !== 'fail'), checks };
}

const marks = { ok: '✓', warn: '!', fail: '✗' } as const;
const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export function reportText({ checks }: Report, paint: Paint): string {
  return checks
    .map(({ status, message, fix }) => {
      const line = `${paint(colors[status], marks[status])} ${message}`;
      return fix === undefined ? `${line}\n` : `${line}\n    ${fix}\n`;
    })
    .join('');
}
