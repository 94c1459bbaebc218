import type { PlainForm } from './plain-programs.js';
import { wordList } from './word-list.js';

/** A subcommand of git that Claude Code runs without asking. */
export interface PlainGit extends PlainForm {
  /**
   * Whether it shows contents of files, for which the whole repository must be inside the folders; or the options with
   * which it does.
   */
  readonly showsContents: boolean | RegExp;
}

const shown = wordList(`stat? shortstat numstat name-only name-status summary color? no-color
    cached staged word-diff? no-renames find-renames? diff-filter= unified? patch
    no-patch ignore-all-space ignore-space-change ignore-blank-lines exit-code check
    minimal histogram patience full-index raw no-ext-diff no-textconv quiet`);
const walked = wordList(`oneline graph decorate? no-decorate all branches? tags? remotes? reverse
    max-count= skip= since= after= until= before= author= committer= grep=
    merges no-merges first-parent abbrev-commit no-abbrev-commit format= pretty?
    date= relative-date follow left-right topo-order date-order`);
const listed = ['list', 'sort=', 'format=', 'contains=', 'no-contains=', 'points-at=', 'color?', 'no-color'];
const digits = '0123456789';

function form(
  showsContents: boolean | RegExp,
  flags = '',
  valued = '',
  long: readonly string[] = [],
): PlainGit {
  // A repository can name programs that git starts.
  return { flags, valued, long, operands: 'paths', isReader: false, showsContents };
}

/** By their first words. Those without a form can read configuration of the user, or another repository. */
export const plainGit: ReadonlyMap<string, PlainGit | undefined> = new Map<string, PlainGit | undefined>([
  ['diff', form(true, `puswbRMCDU${digits}`, 'SG', shown)],
  [
    'log',
    form(/^(?:-[^-]*[pucmLSGUW]|--patch|--unified|--word-diff|--raw)/, `pucmsziEU${digits}`, 'nSGL', [
      ...walked,
      ...shown,
    ]),
  ],
  ['show', form(true, `puswbmU${digits}`, '', [...shown, ...walked])],
  [
    'shortlog',
    form(false, 'snec', '', ['summary', 'numbered', 'email', 'all', 'no-merges', 'since=', 'until=']),
  ],
  ['reflog', form(false, `q${digits}`, 'n', walked)],
  ['stash list', form(false, digits, 'n', walked)],
  ['stash show', form(true, `puU${digits}`, '', shown)],
  ['ls-remote', undefined],
  ['config --get', undefined],
  ['remote show', undefined],
  [
    'status',
    // It shows the changes in the whole repository.
    form(/^(?:-[^-]*v|--verbose)/, 'sbvuz', '', [
      ...wordList(`short branch porcelain? long verbose untracked-files? ignored?
    ignore-submodules? ahead-behind no-ahead-behind renames no-renames show-stash`),
    ]),
  ],
  ['blame', form(true, 'pnefwslt', 'L', ['porcelain', 'line-porcelain', 'show-email', 'date=', 'root'])],
  [
    'ls-files',
    form(false, 'cdmoisktuzv', 'x', [
      ...wordList(`cached deleted modified others ignored stage unmerged exclude-standard
    full-name error-unmatch exclude= directory`),
    ]),
  ],
  ['remote', form(false, 'v', '', ['verbose'])],
  ['merge-base', form(false, 'a', '', ['is-ancestor', 'fork-point', 'octopus', 'independent', 'all'])],
  [
    'rev-parse',
    form(false, 'q', '', [
      ...wordList(`verify short? abbrev-ref symbolic symbolic-full-name show-toplevel show-cdup
    show-prefix git-dir git-common-dir absolute-git-dir is-inside-work-tree quiet
    is-inside-git-dir is-bare-repository is-shallow-repository`),
    ]),
  ],
  ['rev-list', form(false, digits, 'n', ['count', ...walked])],
  [
    'describe',
    form(false, '', '', ['tags', 'always', 'long', 'abbrev?', 'dirty?', 'match=', 'exact-match', 'all']),
  ],
  ['cat-file', form(true, 'tspe')],
  ['for-each-ref', form(false, '', '', ['count=', 'merged=', 'no-merged=', ...listed])],
  [
    'grep',
    {
      ...form(true, `EGFPivwnclLhHoq${digits}`, 'eABC', [
        ...wordList(`extended-regexp fixed-strings perl-regexp ignore-case word-regexp line-number
    count files-with-matches only-matching heading break cached context=`),
      ]),
      operands: 'pattern',
      patternOptions: ['e'],
    },
  ],
  ['worktree list', form(false, 'v', '', ['porcelain', 'verbose'])],
  ['tag', form(false, `ln${digits}`, '', ['merged=', 'no-merged=', ...listed])],
  [
    'branch',
    form(false, 'larvi', '', ['all', 'remotes', 'verbose', 'show-current', 'merged', 'no-merged', ...listed]),
  ],
]);
