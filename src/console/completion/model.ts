import {
  commandFlags,
  docOf,
  commandNames,
  commands,
  type Command,
  type CommandName,
  type Flag,
} from '../../config/commands.js';
import { helpGroups } from '../../config/help-groups.js';
import { onOff } from '../../config/setting.js';
import { settingRows, type SettingRow } from '../../config/settings.js';

/** What can follow a command or a flag. */
export type Values = 'session' | 'folder' | 'file' | 'anything' | readonly string[];

export interface FlagCompletion {
  readonly flag: string;
  readonly brief: string;
  /** Undefined: it takes no value, or can do without. */
  readonly values: Values | undefined;
}

/** What can be typed after some words. */
export interface Place {
  /** The words of a command so far: empty, `token` or `token list`. */
  readonly words: string;
  readonly next: readonly { readonly word: string; readonly brief: string }[];
  readonly operand: Values | undefined;
  /** More operands can follow. */
  readonly isRepeated: boolean;
  readonly flags: readonly FlagCompletion[];
}

export interface Completions {
  readonly places: readonly Place[];
  /** For every command. */
  readonly flags: readonly FlagCompletion[];
  /** All flags that need a value, also those of single commands. */
  readonly valued: readonly FlagCompletion[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;

/** Both names of the program. */
export const programs = ['claude-code-mcp', 'mcp-server-claude-code'] as const;

/** Prints the ids of sessions, one per line. */
export const idsCommand = 'sessions --ids --limit 50 2>/dev/null';

/** Everything that a shell can complete, from the tables that the program runs on. */
export function completions(clients: readonly string[]): Completions {
  const operands: Readonly<Record<string, Values>> = {
    show: 'session',
    watch: 'session',
    resume: 'session',
    trust: 'folder',
    untrust: 'folder',
    install: clients,
    uninstall: clients,
    completion: shells,
    help: ['settings', ...new Set(commandNames.map(firstWord))],
  };
  const families = [...new Set(commandNames.filter((name) => name.includes(' ')).map(firstWord))];
  const partial = families.filter((family) => !Object.hasOwn(commands, family));
  const all = ['', ...partial, ...commandNames, 'help'];
  const places = all.map((words) => ({
    words,
    next: nextAfter(words),
    operand: operands[words],
    isRepeated: isRepeated(words),
    flags: ownFlags(words),
  }));
  const flags: readonly FlagCompletion[] = [
    { flag: 'json', brief: 'Print JSON', values: undefined },
    { flag: 'config', brief: 'JSON config file', values: 'file' },
    { flag: 'help', brief: 'Show help', values: undefined },
    { flag: 'version', brief: 'Show the version', values: undefined },
    ...settingRows.map((row) => ({ flag: row.flag, brief: brief(row.doc), values: valuesOf(row) })),
  ];
  const byName = new Map([...flags, ...places.flatMap((place) => place.flags)].map((one) => [one.flag, one]));
  return { places, flags, valued: [...byName.values()].filter(({ values }) => values !== undefined) };
}

function isRepeated(words: string): boolean {
  const command: Command | undefined = Object.hasOwn(commands, words)
    ? commands[words as CommandName]
    : undefined;
  return command?.isOperandRepeated === true;
}

function ownFlags(words: string): readonly FlagCompletion[] {
  return Object.entries<Flag>(commandFlags)
    .filter(([, { of }]) => of.includes(words as CommandName))
    .map(([flag, row]) => ({
      flag,
      brief: brief(docOf(row, words as CommandName)),
      values: row.shape === undefined ? undefined : row.shape === 'path' ? 'file' : 'anything',
    }));
}

function nextAfter(words: string): Place['next'] {
  const start = words === '' ? '' : `${words} `;
  const names = commandNames.filter((name) => name.startsWith(start) && name !== words);
  const found = new Map<string, string>();
  for (const name of names) {
    const word = firstWord(name.slice(start.length));
    if (!found.has(word)) found.set(word, (words === '' && briefOf(word)) || brief(commands[name].doc));
  }
  if (words === '') found.set('help', 'Explain a command, or all settings');
  return [...found].map(([word, text]) => ({ word, brief: text }));
}

/** The line of the help about a command or a family of commands. */
function briefOf(word: string): string | undefined {
  const rows = helpGroups.flatMap(([, some]) => some);
  return rows.find((row) => !row.words.includes(',') && firstWord(row.words) === word)?.brief;
}

function valuesOf({ kind }: SettingRow): Values | undefined {
  if (kind === onOff) return undefined;
  if (kind.values !== undefined) return kind.values;
  return kind.shape.startsWith('path') ? 'file' : 'anything';
}

function firstWord(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** The first sentence, without its full stop and without what a shell would interpret. */
function brief(doc: string): string {
  const [first = doc] = /^.*?(?=[.:](?: |$)|$)/.exec(doc) ?? [];
  return first.replaceAll(/['"`$\\[\]]/g, '');
}
