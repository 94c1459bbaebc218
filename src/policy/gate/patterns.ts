/** Whether a name is this one, or a pattern that may stand for it. */
export function couldBe(pattern: string, name: string): boolean {
  const [, start, end] = /^([^*?[\]{}]*)[*?[\]{}](?:.*[*?[\]{}])?([^*?[\]{}]*)$/.exec(pattern) ?? [];
  if (start === undefined || end === undefined) return pattern === name;
  return name.startsWith(start) && name.endsWith(end);
}

/** Whether the shell may replace this name by others. */
export function isPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name);
}
