import { wordList } from './word-list.js';

/**
 * Commands of Claude Code that affect only their own session, with their other names. Others change settings of the
 * user, which later sessions load, or show what is not in the session's folders.
 */
export const sessionCommands: ReadonlySet<string> = new Set(
  wordList(`clear reset new compact context usage cost stats recap rename name goal init review code-review
    security-review simplify verify batch loop deep-research`),
);

export interface PromptFacts {
  /** Whether what is read without approval is limited to the session's folders. */
  readonly isReadingBounded: boolean;
  /** Whether the user or the project has a command or a skill with this name. */
  readonly isOwnCommand: (name: string) => boolean;
}

/**
 * Whether Claude Code may take `/command` and `@path` in a prompt for what they mean. It runs such a command and reads
 * such files before any tool call, so there is nothing that could be approved.
 */
export function mayExpand(prompt: string, { isReadingBounded, isOwnCommand }: PromptFacts): boolean {
  const [, command, words = ''] = /^\/(\S*)(.*)$/s.exec(prompt.trimStart()) ?? [];
  if (command === undefined) return isReadingBounded ? !prompt.includes('@') : !resource.test(prompt);
  // A command of an MCP server: `/server:prompt (MCP)`.
  if (/^\s*\(MCP\)/i.test(words) || resource.test(words)) return false;
  if (isReadingBounded && beyondFolder.test(words)) return false;
  return sessionCommands.has(command) || isOwnCommand(command);
}

/** `@server:…` reads from an MCP server of the user. */
const resource = /@[^@\s/\\.~]*:/;

/** Where a command names a file by its words, these could name one outside of the folder. */
const beyondFolder = /[@/\\~$:]|\.\./;
