/** Whether a name is this one, or a pattern that may stand for it. */
export function couldBe(pattern: string, name: string): boolean {
  return matcherOf(pattern)(name);
}

/** The same for many names, because a pattern can be much longer than any of them. */
export function matcherOf(pattern: string): (name: string) => boolean {
  const [, start, end] = /^([^*?[\]{}]*)[*?[\]{}](?:.*[*?[\]{}])?([^*?[\]{}]*)$/.exec(pattern) ?? [];
  if (start === undefined || end === undefined) return (name) => pattern === name;
  return (name) => name.startsWith(start) && name.endsWith(end);
}

/** Whether the shell may replace this name by others. */
export function isPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name);
}
