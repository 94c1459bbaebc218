import { wordList } from './word-list.js';

/** The programs that Claude Code may run without asking, apart from those with subcommands. */
const readers = wordList(`
  xargs lsof pgrep cal uptime cat head tail wc stat strings hexdump od nl id uname free df du locale groups nproc
  basename dirname realpath readlink cut paste tr column tac rev fold expand unexpand fmt comm cmp numfmt diff true
  false sleep type expr seq tsort pr file sort uniq man help netstat ps ss tput base64 grep egrep fgrep rg sha256sum
  sha1sum md5sum tree date hostname which fd fdfind echo printf pwd whoami alias history arch ifconfig ls find sed jq
  test [ [[ cd`);

/** The same for their subcommands. */
export const autoAllowedSubcommands: readonly string[] = [
  ...wordList(`diff log show shortlog reflog ls-remote status blame ls-files remote merge-base rev-parse rev-list
    describe cat-file for-each-ref grep tag branch`).map((name) => `git ${name}`),
  'git stash list',
  'git stash show',
  'git config --get',
  'git remote show',
  'git worktree list',
  ...wordList('ps images logs inspect').map((name) => `docker ${name}`),
];

export const autoAllowedPrograms: readonly string[] = [...readers, 'git', 'docker'];

/** What Claude Code also runs without asking where edits are accepted. */
export const editingPrograms: readonly string[] = wordList('mkdir touch rm rmdir mv cp sed');

/**
 * Calls that Claude Code runs without asking only in exactly this form. They read nothing, and in any other form it
 * asks.
 */
export const exactCalls: readonly string[] = [
  'claude -h',
  'claude --help',
  'node -v',
  'node --version',
  'python --version',
  'python3 --version',
  'ip addr',
];

/** Programs in the tables of Claude Code that it nevertheless asks about. */
export const askedPrograms: readonly string[] = ['gh', 'aki'];

const programs: ReadonlySet<string> = new Set(readers);
const editing: ReadonlySet<string> = new Set(editingPrograms);
const firstSubcommands: ReadonlySet<string> = new Set(
  autoAllowedSubcommands.map((name) => name.split(' ', 2).join(' ')),
);

/** Whether Claude Code may run a command that begins with these words without asking. */
export function isAutoAllowed([path = '', next = '']: readonly string[], acceptsEdits: boolean): boolean {
  const program = path.replace(/^.*\//, '');
  if (program === 'git' || program === 'docker')
    // An option before the subcommand can name another repository or host.
    return next === '' || next.startsWith('-') || firstSubcommands.has(`${program} ${next}`);
  return programs.has(program) || (acceptsEdits && editing.has(program));
}
