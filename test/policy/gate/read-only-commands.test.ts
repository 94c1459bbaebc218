import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCalls } from '../../../src/policy/gate/plain-calls.js';
import { readCommand } from '../../../src/policy/gate/command-reading.js';
import { autoAllowedPrograms } from '../../../src/policy/gate/auto-allowed-names.js';

function isReadOnly(line: string): boolean {
  return readCommand(line).isReadOnly;
}

describe('a command that is certain to change nothing', () => {
  it.each([
    'ls',
    'ls -la src',
    'cat a.txt b.txt',
    'cat /etc/passwd',
    'grep -n word a.txt | head -5',
    'ls 2>/dev/null',
    'ls missing 2>&1 | wc -l',
    'echo a=b c',
    'date -u',
    'which node',
    'sort a.txt | uniq -c',
    'tree -L 2',
  ])('%j', (line) => {
    expect(isReadOnly(line)).toBe(true);
  });
});

describe('a command that could write', () => {
  it.each([
    'ls > a',
    'ls; touch a',
    'ls && touch a',
    'cat $(touch a)',
    'cat `touch a`',
    'ls | tee a',
    'git commit',
    'git diff --output=a',
    'find . -delete',
    'find . -fprint a',
    // The name of an option as a value moves what follows it.
    'find . -newer -name -delete',
    'ls\ntouch a',
    'sort -o a b',
    'sort --output=a b',
    'uniq a b',
    'tree -o a',
    'sed -i s/a/b/ a',
    'hostname x',
    'date -s 12:00',
    'date 010100002030',
    'cd src',
    'nohup ls',
    'echo a 1<>b',
    'cat a <>b',
    'echo a >"$X"/dev/null',
    'echo a >/dev/null$X',
    'echo a >&b',
    'echo a &>b',
    'lsof +m m',
    '',
  ])('is not read-only: %j', (line) => {
    expect(isReadOnly(line)).toBe(false);
  });
});

describe('a command that could start another program', () => {
  it.each([
    'cat notes >&1$HOME',
    'cat notes >&-$HOME',
    'false; cat link$?',
    'cat link$!',
    'cat <<E\\\nF\n$(touch x)\nEF',
    'cat <<EF\\\n \n$(touch x)\nEF',
    'ls &</dev/null touch x',
    "((echo '$(touch x)'))",
    '( (ls) )',
    'ls &<<<a touch x',
    'ls >&1 touch x',
    'ls 2>&1 touch x',
    'ls 2>&1x',
    'ls \\\n| touch x',
    'npm test',
    // A repository can name a program that it runs (core.fsmonitor).
    'git status',
    "[[ 'a[$(touch x)]' -eq 0 ]]",
    "[[ 0 -lt 'a[$(touch x)]' ]]",
    "[[ 1 -eq 1 || test -eq 'a[$(touch x)]' ]]",
    "[ 1 -eq 1 -o 'a[$(touch x)]' -eq 0 ]",
    "test 'a[$(touch x)]' -gt 0",
    "test -v 'a[$(touch x)]'",
    "[ -v 'a[$(touch x)]' ]",
    "[[ -v 'a[$(touch x)]' ]]",
    "[[ ! -v 'a[$(touch x)]' ]]",
    "test -R 'a[$(touch x)]'",
    "test -t 'a[$(touch x)]'",
    '[ -f * ]',
    "printf -v 'a[$(touch x)]' x",
    "printf -va 'b'",
    "printf '%n' 'a[$(touch x)]'",
    "printf '%d' 'a[$(touch x)]'",
    "printf '%*s' 'a[$(touch x)]' b",
    "printf '%(%F)T' 'a[$(touch x)]'",
    'printf -v PATH . ; ls',
    'printf "$X" a',
    'PATH=/tmp ls',
    'PATH=.; ls',
    'true {PATH}<a; ls',
    'echo {PATH}>/dev/null; ls',
    './time ls',
    './timeout 5 ls',
    '/usr/bin/env LANG=C ls',
    'bin/env LANG=C ls',
    '../x/nice ls',
    './command ls',
    './ls',
    '/bin/ls',
    'timeout 5 5 ls',
    'i"f" ls',
    '<a if ls',
    '{ ls } always { touch x }',
    'if [[ -f a ]] { touch x }',
    '< a.txt',
    'fd -l',
    'fd -x touch',
    'rg -n word src',
    'rg --pre=sh word',
    "ls *(e:'touch x':)",
    'echo ${a[$(touch x)]}',
    'echo $((a[0]))',
    'echo "$?[a]"',
    'ls ^a',
    'ls {a,b}',
    'tput init',
    'arch ls',
    'exec ls',
    'find . -exec touch a +',
    'echo x | xargs touch',
  ])('is not read-only: %j', (line) => {
    expect(isReadOnly(line)).toBe(false);
  });
});

describe('a command that could show a secret of the environment', () => {
  it.each([
    'echo "$ANTHROPIC_API_KEY"',
    'echo $ANTHROPIC_API_KEY',
    'echo "${ANTHROPIC_API_KEY}"',
    'printf "%s" "$ANTHROPIC_API_KEY"',
    '[ "$ANTHROPIC_API_KEY" = a ]',
    'cat <<< "$ANTHROPIC_API_KEY"',
    'cat <<EOF\n$ANTHROPIC_API_KEY\nEOF',
    'ps e',
    'ps eww',
    'ps auxe',
    'ps -auxe',
    'ps -e -u xx',
    'ps aux -e',
    'ps -o environ',
    'ps -o pid,environ',
    'ps -eo pid --sort=environ',
    'ps -p 12 e',
    'ps -E',
    "jq -n '$ENV'",
    "jq -n '$ ENV'",
    "jq -n 'env'",
    'env',
    'printenv',
    'set',
    'export -p',
    'history',
  ])('is not read-only: %j', (line) => {
    expect(isReadOnly(line)).toBe(false);
  });
});

it('a command with a computed word is never read-only', () => {
  const computed = fc.constantFrom(
    '$X',
    '"$X"',
    '"a$X"',
    '$(pwd)',
    '"$(pwd)"',
    '`pwd`',
    '~root',
    '{a,b}',
    '=ls',
  );
  const plain = fc.array(fc.constantFrom('a', '-n', '5', 'src/b.ts', '='), { maxLength: 2 });

  fc.assert(
    fc.property(
      fc.constantFrom(...autoAllowedPrograms),
      plain,
      computed,
      plain,
      (program, before, word, after) => {
        expect(isReadOnly([program, ...before, word, ...after].join(' '))).toBe(false);
        expect(isReadOnly(`${program} ${before.join(' ')} < ${word}`)).toBe(false);
        expect(isReadOnly(`${program} ${before.join(' ')} <<< ${word}`)).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});

it('a command that is not a plain sentence is never read-only', () => {
  const sign = fc.constantFrom(...'~*?[]{}$\\<>()!#^%;&"\'`\n\t\r\u00a0é'.split(''));
  const word = fc.constantFrom('a', 'src/b.ts', '-n', '5', '');

  fc.assert(
    fc.property(fc.constantFrom(...plainCalls.keys()), word, sign, word, (program, before, one, after) => {
      expect(isReadOnly(`${program} ${before}${one}${after}`)).toBe(false);
      expect(isReadOnly(`${program} ${before} ${one} ${after}`)).toBe(false);
      expect(isReadOnly(`${program}${one}${before} ${after}`)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

it('a program with a folder in its name is never read-only', () => {
  const folder = fc.constantFrom('./', '/bin/', 'bin/', '../', '~/bin/');
  const wrapper = fc.constantFrom('', 'time ', 'command ', 'timeout 5 ', 'env LANG=C ', 'nice -n5 ');

  fc.assert(
    fc.property(wrapper, folder, fc.constantFrom(...autoAllowedPrograms), (before, place, program) => {
      expect(isReadOnly(`${before}${place}${program}`)).toBe(false);
    }),
    { numRuns: 300 },
  );
});
