/**
 * Claude Code runs these unasked, and compares only paths that stand alone with the session's folders. They read files
 * that another file or an option names, or that a link inside a folder leads to. GNU programs and git also accept the
 * start of a long option.
 */
const readers: readonly (readonly [program: string, option: string])[] = [
  ['xargs', ''],
  ['wc|du', '--f(?:i[\\w-]*)?(?![\\w-])'],
  ['diff', '--(?:f|to)'],
  ['blame|annotate', '--ignore-rev'],
  ['strings|nm|size|objdump|readelf', '@'],
  ['grep', '(?:-\\w*R|--der)'],
  ['rg', '(?:-\\w*L|--fol)'],
];

const patterns = readers.map(
  ([program, option]) =>
    new RegExp(`(?<![\\w.-])(?:${program})(?![\\w.-])${option && `[^|;&\\n]*\\s${option}`}`),
);

/** Whether a command could read files that are not among its plain arguments. */
export function readsUnnamedFiles({ command }: Readonly<Record<string, unknown>>): boolean {
  if (typeof command !== 'string') return false;
  const words = command.replaceAll(/["'\\]/g, '');
  return patterns.some((pattern) => pattern.test(words));
}
