import { distinctNames } from './distinct-names.js';

/**
 * Changes every text inside a value, including keys. No entry replaces another, even if their keys become equal:
 * otherwise an approver would not see one of them.
 */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  const distinct = distinctNames();
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [distinct(change(name)), mapTexts(inner, change)]),
  );
}
