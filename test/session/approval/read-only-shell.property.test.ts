import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside } from '../../../src/core/paths.js';
import { plainCalls } from '../../../src/policy/gate/plain-calls.js';
import { judgedCommandOf } from '../../../src/session/approval/command-targets.js';
import { wordList } from '../../../src/policy/gate/word-list.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const links = wordList('l d/l d/e/l.txt 5 -n -c --lines -5 -- a=b 0/l .h a:b @l -o -e -f -99c -Lo');
const programs = wordList('ls time cat 0/ls');

/** A project with links to secrets whose names look like options and numbers, and with programs. */
function hostileProject() {
  const root = realpathSync(temporaryFolder());
  const home = join(root, 'home');
  const cwd = join(home, 'app');
  for (const folder of ['d/e', '0']) mkdirSync(join(cwd, folder), { recursive: true });
  writeFileSync(join(root, 'secret'), 'hidden words\n');
  for (const name of ['a.txt', 'd/b.txt']) writeFileSync(join(cwd, name), 'plain\n');
  for (const name of links) symlinkSync(join(root, 'secret'), join(cwd, name));
  for (const name of programs) {
    writeFileSync(join(cwd, name), '#!/bin/sh\n/usr/bin/touch PWN\n');
    chmodSync(join(cwd, name), 0o755);
  }
  return { cwd, home };
}

function namesIn(folder: string): ReadonlySet<string> {
  return new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
}

/** Wait for more input, or depend on the machine. */
const slow = new Set(['tail', 'date']);
const starts = [
  '',
  '',
  '',
  '',
  './',
  'time ',
  './time ',
  'timeout 5 ',
  'env LANG=C ',
  'command ',
  'X=1 ',
  'PATH=. ',
];
const signs = [
  '',
  '',
  '',
  ' > PWN',
  ' < l',
  ' 2>/dev/null',
  ' 2>&1',
  ' | cat',
  ' | head -5',
  '; ls',
  ' && cat a.txt',
];

const word = fc.oneof(
  fc.constantFrom(
    ...links,
    ...wordList('a.txt a.txt d d/b.txt . ./l ../app/l ~/app/l l* -r -l -k -A -B -L 1 99c PWN'),
  ),
  fc.stringMatching(/^-[A-Za-z0-9]{1,3}$/),
  fc.stringMatching(/^[A-Za-z0-9_./-][A-Za-z0-9_./:@,+=-]{0,3}$/),
);
const command = fc
  .tuple(
    fc.constantFrom(...starts),
    fc.constantFrom(...[...plainCalls.keys()].filter((name) => !slow.has(name))),
    fc.array(word, { maxLength: 4 }),
    fc.constantFrom(...signs),
  )
  .map(([start, program, words, sign]) => `${start}${[program, ...words].join(' ')}${sign}`);

const shells = [
  ['bash', '/bin/bash', {}],
  ['bash as on systems whose options end at the first word', '/bin/bash', { POSIXLY_CORRECT: '1' }],
  ['zsh', '/bin/zsh', {}],
] as const;

describe.each(shells.filter(([, path]) => existsSync(path)))('in %s', (_name, shell, more) => {
  it('a command that counts as read-only inside the folder changes nothing and shows no secret', () => {
    const { cwd, home } = hostileProject();
    const env = { PATH: '/usr/bin:/bin', HOME: home, SECRET: 'hidden words', ...more };
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
        const { stdout, stderr } = spawnSync(shell, ['-c', line], { cwd, env, encoding: 'utf8', input: '' });
        expect(stdout + stderr).not.toContain('hidden words');
        expect(namesIn(cwd)).toEqual(before);
      }),
      { numRuns: 800 },
    );

    expect(count).toBeGreaterThan(50);
  });
});
