/** What can be run besides the server, as data: the first words after `claude-code-mcp`. */
export const commands = {
  config: {
    usage: 'config [--json]',
    doc: 'Prints every setting, its value and where it came from, and starts nothing.',
  },
  'audit verify': {
    usage: 'audit verify --audit-log <path> [--head <seq:mark>] [--json]',
    doc: 'Checks that the audit log is as it was written, over all its files, and names the first line that is not. Exit code 0 = good, 1 = bad, 2 = cannot be checked.',
  },
} as const;

export type CommandName = keyof typeof commands;

/** The command that these words begin with. */
export function commandIn(words: readonly string[]): CommandName | undefined {
  const names = Object.keys(commands) as CommandName[];
  return names.find((name) => name.split(' ').every((part, index) => words[index] === part));
}
