import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../../src/policy/gate/command-reading.js';
import { plainForms } from '../../../src/policy/gate/plain-programs.js';

function isReadOnly(line: string): boolean {
  return readCommand(line).isReadOnly;
}

describe('a command that is certain to change nothing', () => {
  it.each([
    'ls',
    'ls -la src *.md',
    'cat a.txt b.txt',
    'cat ~/notes.txt',
    'cat < a.txt',
    "cat <<'EOF'\n$HOME\nEOF",
    'cat <<EOF\nplain\nEOF',
    'cat <<< text',
    'grep -rn word src | head -5',
    "grep -rnE '^(import|export) \\{' src",
    'pwd ',
    'cat /etc/passwd',
    "find . -name '*.ts' | wc -l",
    'find . ! -name a -newer b.txt -print',
    String.raw`find src \( -name a -o -name b \) -type f`,
    'ls 2>/dev/null',
    'ls 2>&1',
    'ls; echo "exit: $?"',
    'echo a=b "c d"',
    "printf '%s\\n' a b",
    "printf '%5d%%\\n' 10 -3",
    'test -f a.txt && cat a.txt',
    '[ -d src ] && [ ! -e dist ]',
    '[[ a == b* ]]',
    'if [ 1 -eq 2 ]; then ls; fi',
    'time ls',
    'timeout 5 cat a.txt',
    'env LANG=C sort a.txt',
    'command ls',
    'ps',
    'ps aux',
    'ps -ef',
    'ps -o pid,etime,args -p 12',
    'ps -p 12 -o pid,cmd',
    'ps -eo pid,ppid,cmd --sort=-rss',
    'date +%F',
    'date -u',
    'sleep 0.5',
    'which node',
    'tput cols',
    "jq -r '.name' package.json",
    "sed -n '1,20p' a.ts",
    'rg -n word src',
    'lsof -i :3000',
    '# list\nls',
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
      fc.constantFrom(...plainForms.keys()),
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

it('a program with a folder in its name is never read-only', () => {
  const folder = fc.constantFrom('./', '/bin/', 'bin/', '../', '~/bin/');
  const wrapper = fc.constantFrom('', 'time ', 'command ', 'timeout 5 ', 'env LANG=C ', 'nice -n5 ');

  fc.assert(
    fc.property(wrapper, folder, fc.constantFrom(...plainForms.keys()), (before, place, program) => {
      expect(isReadOnly(`${before}${place}${program}`)).toBe(false);
    }),
    { numRuns: 300 },
  );
});
