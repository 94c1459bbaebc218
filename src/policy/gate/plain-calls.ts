/** How a program may be called so that it certainly reads only what its plain words name. */
export interface PlainCall {
  /** Options of one letter, without a value. */
  readonly flags?: string;
  /** Options of one letter with a number as the next word. */
  readonly numbers?: string;
  /** Whether a number can be an option: `-20`. */
  readonly takesNumber?: boolean;
  /** What other words are: paths; a pattern and then paths; text. */
  readonly operands: 'paths' | 'pattern' | 'text' | 'none';
  /** Whether it certainly changes nothing and starts no other program. */
  readonly isReader: boolean;
  /** Whether it moves or copies files. */
  readonly isMove?: boolean;
}

function reading(operands: PlainCall['operands'], flags = '', numbers = ''): PlainCall {
  return { flags, numbers, operands, isReader: true };
}

function editing(flags = '', isMove = false): PlainCall {
  return { flags, operands: 'paths', isReader: false, isMove };
}

/**
 * These take the same options everywhere, and each option has one meaning only. Options that follow links, that name a
 * file, that write, or whose value may be a part of the next word or not, are missing. So are programs that follow links
 * below a folder, and git: a repository decides which files and programs git uses.
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
  // With -F, it opens the file again when another one has replaced it.
  ['tail', { ...reading('paths', 'fqv', 'nc'), takesNumber: true }],
  ['wc', reading('paths', 'lwcm')],
  ['file', reading('paths', 'b')],
  ['stat', reading('paths')],
  ['realpath', reading('paths')],
  ['du', reading('paths', 'achkms', 'd')],
  ['tree', reading('paths', 'ad', 'L')],
  ['sort', reading('paths', 'bfnru', 'k')],
  // A second word would be a file that it writes.
  ['uniq', reading('none', 'cdiu')],
  // Some implementations follow links below a folder. So does rg with the options that a file of the user can contain.
  ['grep', reading('pattern', 'nilwcEFhHov', 'ABC')],
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
