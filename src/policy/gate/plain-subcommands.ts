import { plainForms, type PlainForm } from './plain-programs.js';
import { plainGit, type PlainGit } from './plain-git.js';

const docker: PlainForm = {
  flags: 'aqftsl',
  valued: 'n',
  long: [
    'all',
    'quiet',
    'no-trunc',
    'follow',
    'timestamps',
    'size',
    'format=',
    'filter=',
    'tail=',
    'since=',
    'until=',
  ],
  operands: 'names',
  isReader: false,
};

const plainDocker: ReadonlyMap<string, PlainForm> = new Map(
  ['ps', 'images', 'logs', 'inspect'].map((name) => [name, docker]),
);

export type FoundForm =
  | { readonly form: PlainForm | PlainGit | undefined; readonly count: number }
  /** Claude Code asks about it, unless a rule allows it. */
  | 'asked';

/** The form of a program or of its subcommand, and how many words name it. */
export function formOf(
  words: readonly string[],
  more: ReadonlyMap<string, PlainForm> = new Map(),
): FoundForm {
  const [program = ''] = words;
  const subcommands = program === 'git' ? plainGit : program === 'docker' ? plainDocker : undefined;
  if (subcommands === undefined) {
    if (more.has(program)) return { form: more.get(program), count: 1 };
    return plainForms.has(program) ? { form: plainForms.get(program), count: 1 } : 'asked';
  }
  const two = words.slice(1, 3).join(' ');
  const [, one = ''] = words;
  if (subcommands.has(two)) return { form: subcommands.get(two), count: 3 };
  if (subcommands.has(one)) return { form: subcommands.get(one), count: 2 };
  // An option before the subcommand can name another repository or host.
  return one.startsWith('-') ? { form: undefined, count: 1 } : 'asked';
}

/** Every program that Claude Code may run without asking, some of them only with certain subcommands. */
export const autoAllowedPrograms: readonly string[] = [...plainForms.keys(), 'git', 'docker'];
export const autoAllowedSubcommands: readonly string[] = [
  ...[...plainGit.keys()].map((name) => `git ${name}`),
  ...[...plainDocker.keys()].map((name) => `docker ${name}`),
];
