import { wordList } from './word-list.js';

/** How a program may be called so that it certainly reads only what its plain words name. */
export interface PlainCall {
  /** Options of one letter, without a value. */
  readonly flags?: string;
  /** Options of one letter with a number as the next word. */
  readonly numbers?: string;
  /** Long options without a value. */
  readonly long?: readonly string[];
  /** Whether a number can be an option: `-20`. */
  readonly takesNumber?: boolean;
  /** What other words are: paths; a pattern and then paths; folders whose entries it reads, too; text. */
  readonly operands: 'paths' | 'pattern' | 'entries' | 'text' | 'none';
  /** Whether it certainly changes nothing and starts no other program. */
  readonly isReader: boolean;
  /** Whether it reads the whole repository. */
  readonly readsRepository?: boolean;
  /** Whether it moves or copies files. */
  readonly isMove?: boolean;
}

function reading(operands: PlainCall['operands'], flags = '', numbers = ''): PlainCall {
  return { flags, numbers, operands, isReader: true };
}

/** A repository can name programs that git starts. */
function git(long: string, more: Partial<PlainCall> = {}): PlainCall {
  return { long: wordList(long), operands: 'paths', isReader: false, readsRepository: true, ...more };
}

function editing(flags = '', isMove = false): PlainCall {
  return { flags, operands: 'paths', isReader: false, isMove };
}

const shown = 'stat shortstat numstat name-only name-status no-color no-ext-diff';

/**
 * These take the same options everywhere, and each option has one meaning only. Options that follow links, that name a
 * file, that write, or whose value may be a part of the next word or not, are missing.
 */
export const plainCalls: ReadonlyMap<string, PlainCall> = new Map<string, PlainCall>([
  ['pwd', reading('none')],
  ['whoami', reading('none')],
  ['true', reading('none')],
  ['date', reading('none', 'u')],
  ['uname', reading('none', 'asnrm')],
  ['id', reading('none', 'Ggnu')],
  ['echo', reading('text')],
  ['which', reading('text', 'a')],
  ['basename', reading('text')],
  ['dirname', reading('text')],
  ['ls', reading('paths', 'aAdFhilprsSt1')],
  ['cat', reading('paths', 'bensTv')],
  ['head', { ...reading('paths', 'qv', 'nc'), takesNumber: true }],
  ['tail', { ...reading('paths', 'fFqv', 'nc'), takesNumber: true }],
  ['wc', reading('paths', 'lwcm')],
  ['file', reading('paths', 'b')],
  ['stat', reading('paths')],
  ['realpath', reading('paths')],
  ['du', reading('paths', 'achkms', 'd')],
  ['tree', reading('paths', 'ad', 'L')],
  ['sort', reading('paths', 'bfnru', 'k')],
  // A second word would be a file that it writes.
  ['uniq', reading('none', 'cdiu')],
  // In a folder it follows links.
  ['diff', reading('entries', 'biquw')],
  // Some implementations follow links below a folder. So does rg with the options that a file of the user can contain.
  ['grep', reading('pattern', 'nilwcEFhHov', 'ABC')],
  // Blame is missing: it prints the first line of the file that blame.ignoreRevsFile names, which can be a link.
  ['git status', git('short branch porcelain', { flags: 'sb' })],
  ['git diff', git(`${shown} cached staged`, { flags: 'w' })],
  ['git show', git(`${shown} oneline no-patch`, { flags: 's' })],
  [
    'git log',
    git(`${shown} oneline graph all decorate no-merges merges reverse`, { numbers: 'n', takesNumber: true }),
  ],
  ['git branch', git('all remotes show-current', { flags: 'arv', operands: 'none' })],
  ['git rev-parse', git('show-toplevel show-prefix abbrev-ref short git-dir is-inside-work-tree verify')],
  ['git ls-files', git('others modified deleted cached exclude-standard stage', { flags: 'cdmo' })],
  ['git remote', git('verbose', { flags: 'v', operands: 'none' })],
]);

/** Where edits are accepted. */
export const editingCalls: ReadonlyMap<string, PlainCall> = new Map([
  ['mkdir', editing('pv')],
  ['touch', editing()],
  ['rm', editing('rfv')],
  ['rmdir', editing()],
  ['mv', editing('fnv', true)],
  ['cp', editing('rpfnv', true)],
]);
