/** Code that descends into some thousand levels exhausts the stack. */
const mostLevels = 200;

/** Whether a JSON text could have more levels than are read. Most texts do not even have as many brackets. */
export function mayBeDeep(text: string): boolean {
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      brackets += 1;
      if (brackets > mostLevels) return true;
    }
  }
  return false;
}

/** The same value with a note in place of what is nested more deeply than is read. */
export function withoutDepth(value: unknown, levels = mostLevels): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((inner) => withoutDepth(inner, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutDepth(inner, levels - 1)]),
  );
}
