import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isInside } from '../../../src/core/paths.js';
import { plainForms } from '../../../src/policy/gate/plain-programs.js';
import { judgedCommandOf } from '../../../src/session/approval/command-targets.js';
import { wordList } from '../../../src/policy/gate/word-list.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

/** A project below the home folder, with links to secrets, names that shells take for signs, and programs. */
function hostileProject() {
  const root = realpathSync(temporaryFolder());
  const home = join(root, 'home');
  const cwd = join(home, 'app');
  for (const folder of ['d/e', '~/app', '0']) mkdirSync(join(cwd, folder), { recursive: true });
  writeFileSync(join(root, 'secret'), 'hidden words\n');
  for (const name of ['a.txt', 'd/b.txt', '=ls', '[a]', '{a,b}', 'a[$(touch PWN)]', '-name', '~/app/a.txt'])
    writeFileSync(join(cwd, name), 'plain\n');
  for (const name of ['l', 'd/l', 'd/e/l.txt', '~l', '$HOME', 'z*', '~/app/l', '0/l', '.h', '#l'])
    symlinkSync(join(root, 'secret'), join(cwd, name));
  for (const name of ['ls', 'time', '0/ls']) {
    writeFileSync(join(cwd, name), '#!/bin/sh\n/usr/bin/touch PWN\n');
    chmodSync(join(cwd, name), 0o755);
  }
  return { cwd, home, root };
}

const words = [
  ...wordList(String.raw`a.txt l d d/l d/* * **/l.txt .* z* ~ ~/app/l ~l ~+/l =ls .. ../app/l {l,a} [l] ?
    -n -e -r -- -newer -name -delete -v -eq = 0 1 ! %n %s $HOME $SECRET PATH #l p eww`),
  '$(cat l)',
  '`cat l`',
  'a[$(touch PWN)]',
  'touch PWN',
  's/a/b/w PWN',
  '',
];
const signs = [
  '',
  ' > PWN',
  ' 1<>PWN',
  ' < l',
  ' <<< "$SECRET"',
  ' 2>/dev/null',
  ' {PATH}<a.txt',
  ' | cat',
  '; ls',
  ' && cat a.txt',
];
/** Wait for more input or for the network, or depend on the machine. */
const slow = new Set(wordList(`tail sleep man lsof pgrep netstat ss hostname date tput df du`));
const starts = ['', './', 'time ', './time ', 'timeout 5 ', 'env LANG=C ', 'command ', 'X=1 '];

function namesIn(folder: string): ReadonlySet<string> {
  return new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
}

/** Half of the time, none. */
function sometimes(texts: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(fc.constant(''), fc.constantFrom(...texts));
}

const quoted = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom('', '', "'", '"', '\\', "''"))
  .map(([word, quote]) =>
    quote.length === 1 && quote !== '\\' ? `${quote}${word}${quote}` : `${quote}${word}`,
  );
const command = fc
  .tuple(
    sometimes(starts),
    fc.constantFrom(
      ...[...plainForms.keys()].filter((name) => !slow.has(name)),
      'cat',
      'printf',
      'test',
      '[',
    ),
    fc.array(quoted, { maxLength: 3 }),
    sometimes(signs),
  )
  .map(([start, program, operands, sign]) => {
    const closing = program === '[' ? ' ]' : program === '[[' ? ' ]]' : '';
    return `${start}${[program, ...operands].join(' ')}${closing}${sign}`;
  });

it.skipIf(process.platform === 'win32')(
  'a command that counts as read-only inside the folder changes nothing and shows no secret in a real shell',
  () => {
    const { cwd, home } = hostileProject();
    const env = { PATH: '/usr/bin:/bin', HOME: home, SECRET: 'hidden words' };
    const before = namesIn(cwd);
    let count = 0;
    const isReadOnly = (line: string): boolean => {
      const call = { toolName: 'Bash', toolUseId: 't', input: { command: line }, permissionMode: 'default' };
      const judged = judgedCommandOf({ ...call, cwd }, [], { cwd, home });
      return judged?.isReadOnly === true && judged.reads?.every(({ real }) => isInside(real, cwd)) === true;
    };

    fc.assert(
      fc.property(command, (line) => {
        if (!isReadOnly(line)) return;
        count += 1;
        const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd, env, encoding: 'utf8', input: '' });
        expect(stdout + stderr).not.toContain('hidden words');
        expect(namesIn(cwd)).toEqual(before);
      }),
      { numRuns: 1_000 },
    );

    expect(count).toBeGreaterThan(50);
  },
);
