import type { Line, Spent } from './line.js';

export interface SpentAt extends Spent {
  readonly at: number;
}

/** What the lines of a session add up to. */
export interface Folded {
  /** The newest value of each field of its record. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly spent: readonly SpentAt[];
}

/** Fields that come from lines of their own: saving the others does not remove them. */
export const ownLines: ReadonlySet<string> = new Set(['forks', 'updatedAt']);

export const nothing: Folded = { fields: {}, spent: [] };

export function fold(before: Folded, lines: readonly Line[]): Folded {
  const fields: Record<string, unknown> = { ...before.fields };
  const spent = [...before.spent];
  for (const line of lines) {
    if (line.whole === true) dropFields(fields);
    for (const [key, value] of Object.entries(line.set ?? {})) assign(fields, key, value);
    if (line.fork !== undefined) fields['forks'] = withFork(fields['forks'], line.fork);
    if (line.spent !== undefined) spent.push({ at: line.at, ...line.spent });
    fields['updatedAt'] = line.at;
  }
  return { fields, spent };
}

/** The status stays, because it may be final. */
function dropFields(fields: Record<string, unknown>): void {
  for (const key of Object.keys(fields)) if (key !== 'status' && !ownLines.has(key)) delete fields[key];
}

function assign(fields: Record<string, unknown>, key: string, value: unknown): void {
  // Another server may have cancelled the session meanwhile, and a cancelled session stays cancelled.
  if (key === 'status' && fields['status'] === 'cancelled') return;
  if (value === null) delete fields[key];
  else Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
}

function withFork(forks: unknown, id: string): unknown[] {
  return [...new Set([...(Array.isArray(forks) ? forks : []), id])];
}
