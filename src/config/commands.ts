/** What can be run besides the server, as data: the first word after `claude-code-mcp`. */
export const commands = {
  config: {
    usage: 'config [--json]',
    doc: 'Prints every setting, its value and where it came from, and starts nothing.',
  },
} as const;

export type CommandName = keyof typeof commands;

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(commands, word);
}
