/** `xargs head` and `wc --files0-from=list` read files that the command does not name, and Claude Code runs both unasked. */
const xargs = /(?:^|[^\w.-])xargs(?![\w.-])/;
/** GNU programs also accept the start of a long option. */
const filesFrom = /(?:^|[^\w.-])(?:wc|du)\s(?:[^|;&\n]*\s)?--f(?:i[\w-]*)?(?:[=\s]|$)/;

/** Whether a command takes the names of the files that it reads from its input or from another file. */
export function readsUnnamedFiles({ command }: Readonly<Record<string, unknown>>): boolean {
  if (typeof command !== 'string') return false;
  const words = command.replaceAll(/["'\\]/g, '');
  return xargs.test(words) || filesFrom.test(words);
}
