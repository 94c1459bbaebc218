import { wordList } from './word-list.js';

/** How a program may be called so that it certainly reads only what its plain words name. */
export interface PlainForm {
  /** Short options without a value. */
  readonly flags?: string;
  /** Short options with a value that names no file. */
  readonly valued?: string;
  /** Long options, in full: `name`, `name=` if a value follows, `name?` if a value may follow after a sign. */
  readonly long?: readonly string[];
  /**
   * What other words are: paths; a pattern and then paths; folders whose entries it reads, too; names of no file;
   * text, which only the shell could turn into names of files; the same, with options as a part of it.
   */
  readonly operands: 'paths' | 'pattern' | 'entries' | 'names' | 'text' | 'echoed' | 'none';
  /** What each text must look like. */
  readonly words?: RegExp;
  /** What all words, joined by spaces, must look like; then there are no other options. */
  readonly call?: RegExp;
  /** Options that replace the pattern. */
  readonly patternOptions?: readonly string[];
  /** Whether it certainly changes nothing and starts no other program. */
  readonly isReader: boolean;
}

const digits = '0123456789';

function paths(flags = '', valued = '', long: readonly string[] = []): PlainForm {
  return { flags, valued, long, operands: 'paths', isReader: true };
}

function text(flags = '', valued = '', long: readonly string[] = []): PlainForm {
  return { flags, valued, long, operands: 'text', isReader: true };
}

function names(flags = ''): PlainForm {
  return { flags, operands: 'names', isReader: true };
}

const none: PlainForm = { operands: 'none', isReader: true };

const grep: PlainForm = {
  flags: `EFGPivwxcLlqsobHhnaIr${digits}`,
  valued: 'eABCm',
  long: wordList(`extended-regexp fixed-strings perl-regexp ignore-case invert-match word-regexp
    count files-with-matches files-without-match line-number only-matching quiet
    with-filename no-filename no-messages recursive text color? colour? regexp=
    after-context= before-context= context= max-count= include= exclude= exclude-dir=`),
  operands: 'pattern',
  patternOptions: ['e', 'regexp'],
  isReader: true,
};

const fd: PlainForm = {
  flags: 'HIusigFap01q',
  valued: 'tedES',
  long: ['hidden', 'no-ignore', 'glob', 'type=', 'extension=', 'max-depth=', 'exclude=', 'color='],
  operands: 'pattern',
  isReader: true,
};

const columns =
  'pid|ppid|pgid|user|uid|comm|args|cmd|command|etime|time|stat|pcpu|%cpu|pmem|%mem|rss|vsz|tty|start|lstart|ni';
/**
 * `e` without a sign shows the environment of each process. If `ps` cannot read its options, it takes `-e` for that, so
 * these must be certain to be valid.
 */
const shown = `-[eA]?o (?:${columns})(?:,(?:${columns}))*`;
const processes = new RegExp(
  `^(?:[aufwx]{1,6}|-ef|-eF|-e|-A|-f|-p \\d+(?: ${shown})?|${shown}(?: -p \\d+)?|${shown} --sort=-?(?:${columns}))?$`,
);

const checksum = paths('btz', '', ['binary', 'text', 'tag', 'zero']);

/**
 * The programs that Claude Code runs without asking, apart from `git` and `docker`, with the options under which they certainly read
 * only what they name. Options that follow links, that name a file, or that write are missing.
 */
export const plainForms: ReadonlyMap<string, PlainForm | undefined> = new Map<string, PlainForm | undefined>([
  // It reads the files that its input names.
  ['xargs', undefined],
  ['lsof', { ...text('anPtlbRUi', 'pcud'), words: /^(?:tcp|udp)?:\d+$/i }],
  ['pgrep', text('lacfinovx', 'duUPgst')],
  ['cal', names('jy13')],
  ['uptime', { ...none, flags: 'ps' }],
  ['cat', paths('AbeEnstTuv', '', ['number', 'show-all', 'number-nonblank', 'squeeze-blank'])],
  ['head', paths(`qvz${digits}`, 'nc', ['lines=', 'bytes=', 'quiet', 'verbose'])],
  ['tail', paths(`fFqvzr${digits}`, 'nc', ['lines=', 'bytes=', 'quiet', 'verbose', 'follow'])],
  ['wc', paths('lwcmL', '', ['lines', 'words', 'bytes', 'chars', 'max-line-length'])],
  ['stat', paths('ftx', 'c', ['format=', 'printf=', 'terse', 'file-system'])],
  ['strings', paths(`a${digits}`, 'n', ['all', 'bytes='])],
  ['hexdump', paths('Cbcdovx', 'ns')],
  ['od', paths('abcdfilosxv', 'AtNj')],
  ['nl', paths('p', 'bdfhilnsvw')],
  ['id', names('Ggnru')],
  ['uname', { ...none, flags: 'asnrvmpio' }],
  ['free', { ...none, flags: 'bkmghtw' }],
  ['df', paths('ahHiklP')],
  [
    'du',
    paths('abchkmsSx0', 'dBt', [
      'max-depth=',
      'human-readable',
      'summarize',
      'total',
      'all',
      'apparent-size',
    ]),
  ],
  ['locale', names('ak')],
  ['groups', names()],
  ['nproc', { ...none, long: ['all'] }],
  ['basename', text('az', 's')],
  ['dirname', text('z')],
  ['realpath', paths('emsqz')],
  ['readlink', paths('femnqsvz')],
  ['cut', paths('s', 'bcdf', ['complement', 'only-delimited', 'delimiter=', 'fields=', 'output-delimiter='])],
  ['paste', paths('sz', 'd', ['serial', 'delimiters='])],
  ['tr', text('cCdst', '', ['delete', 'squeeze-repeats', 'complement', 'truncate-set1'])],
  ['column', paths('tx', 'cso')],
  ['tac', paths('br', 's')],
  ['rev', paths()],
  ['fold', paths('bs', 'w', ['width=', 'spaces', 'bytes'])],
  ['expand', paths('i', 't')],
  ['unexpand', paths('a', 't')],
  ['fmt', paths('cstu', 'w')],
  ['comm', paths('123i')],
  ['cmp', paths('bls', 'in')],
  ['numfmt', text('', '', ['to=', 'from=', 'field=', 'suffix=', 'padding=', 'format='])],
  // In a folder it follows links.
  ['diff', { ...paths('abBiNqsuwyct', 'UCW', ['unified?', 'brief', 'color?']), operands: 'entries' }],
  ['true', { ...text(), operands: 'echoed' }],
  ['false', { ...text(), operands: 'echoed' }],
  ['sleep', names()],
  ['type', names('apt')],
  ['expr', text()],
  ['seq', text('w', 'sf')],
  ['tsort', paths()],
  ['pr', paths()],
  ['file', paths('biknr0', 'F', ['brief', 'mime', 'mime-type', 'mime-encoding'])],
  [
    'sort',
    paths('bdfghiMnRrsuVzcCm', 'ktS', ['reverse', 'numeric-sort', 'unique', 'human-numeric-sort', 'key=']),
  ],
  ['uniq', { ...none, flags: 'cdui', valued: 'fsw' }],
  ['man', { ...names('afk'), isReader: false }],
  ['help', { ...names('d'), isReader: false }],
  ['netstat', { ...none, flags: 'aLlngisrmvtup' }],
  ['ps', { ...none, call: processes }],
  ['ss', { ...none, flags: 'naloempistuwx46H' }],
  ['tput', { ...text(), words: /^(?:cols|lines|colors)$/ }],
  ['base64', paths('dD', 'w', ['decode', 'wrap='])],
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  [
    'rg',
    {
      flags: `inNlcvwxoSsFPUuHhqIap.0${digits}`,
      valued: 'eABCmgtTd',
      long: wordList(`ignore-case smart-case fixed-strings word-regexp invert-match count column
    files-with-matches files-without-match line-number no-line-number only-matching
    heading no-heading hidden no-ignore multiline json stats text quiet
    files regexp= after-context= before-context= context= max-count= glob=
    type= type-not= max-depth= color= sort=`),
      operands: 'pattern',
      patternOptions: ['e', 'regexp', 'files'],
      isReader: true,
    },
  ],
  ['sha256sum', checksum],
  ['sha1sum', checksum],
  ['md5sum', checksum],
  ['tree', paths('adfxqNQpugshDFvtcUriAnC', 'LPI', ['noreport', 'dirsfirst', 'du', 'prune'])],
  // Another word sets the clock.
  ['date', { ...text('uIR', 'd', ['utc', 'date=', 'iso-8601?', 'rfc-3339=']), words: /^\+/ }],
  ['hostname', { ...none, flags: 'fsiIadA' }],
  ['which', names('as')],
  ['fd', fd],
  ['fdfind', fd],
  ['echo', { ...text(), operands: 'echoed' }],
  ['printf', { ...text(), operands: 'echoed' }],
  ['pwd', { ...none, flags: 'LP' }],
  ['whoami', none],
  ['alias', { ...none, isReader: false }],
  ['history', { ...names(), isReader: false }],
  ['arch', none],
  ['ifconfig', { ...names('a'), isReader: false }],
  ['ls', paths('aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1', '', ['all', 'color?', 'almost-all', 'human-readable'])],
  // The words of these are read one by one.
  ['find', { operands: 'paths', isReader: true }],
  ['sed', { flags: 'nErsuz', valued: 'e', operands: 'pattern', patternOptions: ['e'], isReader: true }],
  [
    'jq',
    {
      flags: 'rcesnSjMCRa',
      long: ['raw-output', 'compact-output', 'slurp', 'null-input', 'sort-keys', 'exit-status', 'raw-input'],
      operands: 'pattern',
      isReader: true,
    },
  ],
  ['test', { operands: 'paths', isReader: true }],
  ['[', { operands: 'paths', isReader: true }],
  ['[[', { operands: 'paths', isReader: true }],
  ['cd', { operands: 'paths', isReader: false }],
]);

/** What Claude Code also runs without asking where edits are accepted. Each reads or writes only what it names. */
export const editingForms: ReadonlyMap<string, PlainForm> = new Map([
  ['mkdir', { ...paths('pv'), isReader: false }],
  ['touch', { ...paths('acm'), isReader: false }],
  ['rm', { ...paths('rRfvid'), isReader: false }],
  ['rmdir', { ...paths('pv'), isReader: false }],
  ['mv', { ...paths('fnvi'), isReader: false }],
  ['cp', { ...paths('rRapfnviP'), isReader: false }],
  ['sed', { flags: 'nErsuzi', valued: 'e', operands: 'pattern', patternOptions: ['e'], isReader: false }],
]);

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
