import { wordList } from './word-list.js';

/**
 * Commands of Claude Code that affect only their own session, with their other names. Others change settings of the
 * user, which later sessions load, or show what is not in the session's folders.
 */
const sessionCommands: ReadonlySet<string> = new Set(
  wordList('clear reset new compact context usage cost stats recap rename name goal'),
);

/** Skills that come with Claude Code: a text, whose shell lines run as it loads. */
const bundledSkills: ReadonlySet<string> = new Set(
  wordList('init review code-review security-review simplify verify batch loop deep-research'),
);

export interface PromptFacts {
  /** Whether what is read without approval is limited to the session's folders. */
  readonly isReadingBounded: boolean;
  /** In plan mode, and where only people may approve: nothing but reading runs without approval. */
  readonly isAlwaysAsking: boolean;
  /** Whether the user or the project has a command or a skill with this name. */
  readonly isOwnCommand: (name: string) => boolean;
}

/**
 * Whether Claude Code may take `/command` and `@path` in a prompt for what they mean. It runs such a command and reads
 * such files before any tool call, so there is nothing that could be approved.
 */
export function mayExpand(prompt: string, facts: PromptFacts): boolean {
  const { isReadingBounded, isAlwaysAsking, isOwnCommand } = facts;
  const [, command, words = ''] = /^\/(\S*)(.*)$/s.exec(prompt.trimStart()) ?? [];
  if (command === undefined) return isReadingBounded ? !prompt.includes('@') : !resource.test(prompt);
  // A command of an MCP server: `/server:prompt (MCP)`.
  if (/^\s*\(MCP\)/i.test(words) || resource.test(words)) return false;
  if (isReadingBounded && beyondFolder.test(words)) return false;
  if (sessionCommands.has(command)) return true;
  return !isAlwaysAsking && (bundledSkills.has(command) || isOwnCommand(command));
}

/** `@server:…` reads from an MCP server of the user. */
const resource = /@[^@\s/\\.~]*:/;

/** Where a command names a file by its words, these could name one outside of the folder. */
const beyondFolder = /[@/\\~$:]|\.\./;
