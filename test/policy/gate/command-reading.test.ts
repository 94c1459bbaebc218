import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside } from '../../../src/core/paths.js';
import { autoAllowedPrograms, autoAllowedSubcommands } from '../../../src/policy/gate/auto-allowed-names.js';
import { readCommand, type ReadingContext } from '../../../src/policy/gate/command-reading.js';
import { plainCalls } from '../../../src/policy/gate/plain-calls.js';

/** Whether a command that starts in /p certainly reads nothing outside of /p, if there are no links. */
function staysInside(line: string, context: ReadingContext = {}): boolean {
  const { paths } = readCommand(line, context);
  return paths?.every((path) => isInside(resolve('/p', path), '/p')) === true;
}

describe('a command that passes where reading is bounded', () => {
  it.each([
    'ls',
    'ls -la',
    'ls -l -a src',
    'ls -la src 2>/dev/null',
    'pwd',
    'cat src/a.ts b.ts',
    'cat -n -- src/a.ts',
    'cat src/a.ts | head -50',
    'head -n 20 src/a.ts',
    'tail -f -n 5 log.txt',
    'grep -n foo src/a.ts',
    'grep -niE -A 3 foo src/a.ts | head -5',
    'grep foo a.ts /dev/null',
    'sort a.txt | uniq -c | sort -rn -k 2',
    'du -sh .',
    'du -h -d 1 src',
    'tree -a -L 2 src',
    'wc -l src/a.ts && ls src',
    'echo done',
    'which node',
    'date',
  ])('reads only what it names: %s', (line) => {
    expect(staysInside(line)).toBe(true);
    expect(readCommand(line).paths).not.toEqual([]);
  });

  it.each([
    'npm test',
    'npm test 2>&1 | tail -20',
    'npm run build && ls dist',
    'npm test -- -t "a b"',
    'CI=1 NODE_ENV=test npm test',
    'node --version',
    'node -e "x"',
    'make all',
    './run.sh --help',
    'git commit -m "fix: x"',
    'git add -A && git commit -m wip && git push',
    'docker compose up',
    'gh pr view 12 --json title',
    'for i in 1 2 3; do npm run build; done',
  ])('is one that Claude Code asks about: %s', (line) => {
    expect(staysInside(line)).toBe(true);
  });

  it('is one that a rule allows', () => {
    const allowing = (line: string) => (rule: string) => staysInside(line, { rules: [rule] });
    const simple = allowing('diff --from-file=/etc/passwd a');
    const quoted = allowing('cat "a b"');

    expect(['Bash(diff *)', 'Bash(diff:*)', 'Bash(diff --from-file=/etc/passwd a)'].map(simple)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['Bash(dif *)', 'Bash(cat *)', 'Read', 'Bash(diff)'].map(simple)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(['Bash(cat "a b")', 'Monitor(cat "a b")', 'Bash(cat *)'].map(quoted)).toEqual([true, true, false]);
  });

  it('edits files inside the folder, where edits are accepted', () => {
    const lines = ['mkdir -p a && touch a/b', 'cp -r a b', 'mkdir b && mv a b/', 'rm -rf dist'];

    expect(lines.map((line) => staysInside(line, { acceptsEdits: true }))).toEqual(lines.map(() => true));
  });
});

describe('a command that is held where reading is bounded', () => {
  it.each([
    'cat /etc/passwd',
    'cat -- /etc/passwd',
    'cat src/a.ts /etc/passwd',
    'grep /etc/passwd src',
    'export GIT_DIR=/other && git log',
    'set -k && ls PATH=.',
    'head -99c a',
    'head -n5 a',
    'head -n 5 -c 5 a',
    'head a -n 5',
    'head -- -n',
    'tail -n +5 a',
    'tail -F a',
    'tree -Lo 1 out',
    'tree -aL 1',
    'grep --context . a',
    'grep x a -e y',
    'cat a=~/x',
    'cat a=b:~/x',
    'cat d<->/dev/null',
    'cat notes >&1$HOME',
    'false; cat link$?',
    'cat link$!',
    'ls &</dev/null cat x',
    'cat <<E\\\nF\n$(cat x)\nEF',
    'cat d<1-9>/dev/null',
    "cat 'x''y'",
    'cat src/**.ts',
    'cat "a b"',
    "cat 'a'",
    'cat  a',
    'cat\ta',
    'cat a ',
    'cat a; ls',
    'cat a || ls',
    'cat a & ls',
    'cat a &&',
    '| cat a',
    'cat a 2>&1 b',
    'cat a > b',
    'cat a 2>/dev/nul',
    'cat é',
    'cd src',
    'cd ./src && ls',
    'find . -name a',
    'sed -n 1p a',
    'jq . a.json',
    'printf a',
    'test -f a',
    'time ls',
    'env ls',
    'CI=1 ls',
    '/bin/cat a',
    './cat a',
    'cat ../secret',
    'cat ~/.ssh/id_rsa',
    'cat "$HOME/.ssh/id_rsa"',
    'cat $(echo /etc/passwd)',
    'cat `echo /etc/passwd`',
    'cat sub/link/../../secret',
    "cat $'/etc/passwd'",
    'cat /p/{a,../../etc/passwd}',
    'cat < /etc/passwd',
    'cat <(cat /etc/passwd)',
    'cat =ls',
    'cat ~root/x',
    "c'a't /etc/passwd",
    String.raw`\cat /etc/passwd`,
    'echo "$(< /etc/passwd)"',
    'echo $(cat /etc/passwd)',
    'echo ../*',
    'ls ..',
    'ls -L .',
    'ls; cat /etc/passwd',
    'ls\ncat /etc/passwd',
    'ls | xargs head',
    'xargs -a list cat',
    'wc --files0-from=list',
    'wc --files0-f list',
    'du --files0-from list',
    'du -X list .',
    'sort --files0-from=list',
    'sort -T /tmp a',
    'sort --compress-program=x a',
    'diff --from-file=/etc/passwd a.txt',
    'diff -r a b',
    'diff a --to-file /etc/passwd',
    'git status',
    'git log --oneline -5',
    'git diff',
    'git diff --stat main...HEAD',
    'git show HEAD:src/a.ts',
    'git branch --show-current',
    'git blame a.ts',
    'diff -u a.ts b.ts',
    'git blame --ignore-revs-file /etc/passwd a.txt',
    'git blame --contents /etc/passwd a.txt',
    'git diff --no-index a b',
    'git diff -U ../secret a.txt',
    'git diff -Olist',
    'git grep -f list',
    'git grep --no-index x ..',
    'git ls-files -X list',
    'git config --get user.email',
    'git ls-remote',
    'git -C /other log',
    'git --git-dir=/other/.git log',
    'GIT_DIR=/other/.git git log',
    'export GIT_DIR=/other/.git; git log',
    'GIT_DIR=/other; git log',
    'strings @list',
    'grep -R word .',
    'grep -r word src',
    'egrep word a',
    'fgrep word a',
    'ls -R',
    'grep -nR word .',
    'grep -f list a',
    'grep -flist a',
    'grep --file=list a',
    'grep --exclude-from=list x .',
    'rg word',
    'rg -n word src',
    'rg word src/a.ts',
    'cat a.ts | rg word',
    'rg -L word',
    'rg --follow word',
    'rg -f list .',
    'RIPGREP_CONFIG_PATH=x rg word',
    'find -L . -name x',
    'find . -follow',
    'find . -files0-from list',
    'find . -newer /etc/passwd',
    'find . -exec cat {} +',
    'find / -name x',
    'file -f list',
    'file -m magic a',
    'date -f list',
    'date -r /etc/passwd',
    'sha256sum -c list',
    'base64 -i /etc/passwd',
    'hexdump -f list a',
    'tree -l',
    'tree --fromfile list',
    'fd -L x',
    'fd --search-path / x',
    'jq -f list a.json',
    `jq 'include "x" {search: "/"}; .' a.json`,
    'jq --rawfile a /etc/passwd .',
    "sed -n 'r /etc/passwd' a",
    "sed 's/a/b/w x' a",
    "sed 's/a/b/e' a",
    'sed -f list a',
    "sed -e'r /etc/passwd' a",
    "sed -n -e p -e 'r /etc/passwd' a",
    'sed *',
    'pgrep -F /etc/passwd',
    'man /etc/passwd',
    'tput -S < /etc/passwd',
    'uniq /etc/passwd',
    'cd /etc && ls',
    'cd && ls',
    'cd src && ls',
    'cd .ssh && npm test | cat - id_rsa',
    'cd .ssh && npm test | cat < id_rsa',
    'cd .ssh && grep -r x',
    'cd .ssh && grep --recursive x',
    'cd .ssh && cat *',
    'cd - && cat a',
    'cd sub; cat a',
    'cd sub && cat ../../secret',
    '(cd sub) && cat a',
    'command cd sub; cat a',
    'pushd sub && cat a',
    'timeout 5 cat /etc/passwd',
    'timeout --signal=KILL 5 cat a',
    'nice -n 5 cat /etc/passwd',
    'env -i cat /etc/passwd',
    'stdbuf -o L cat /etc/passwd',
    'nohup cat /etc/passwd',
    'time cat /etc/passwd',
    'npm test | cat - /etc/passwd',
    'for f in /etc/*; do echo "$f"; done',
    'while read l; do echo "$l"; done < /etc/passwd',
    'if true; then cat /etc/passwd; fi',
    '{ cat /etc/passwd; }',
    'f() { cat a; }; f',
    'case x in x) cat a;; esac',
    'cat <<EOF\n$(cat /etc/passwd)\nEOF',
    'cat <<EOF',
    "cat 'a",
    'cat a\u00a0b',
    'cat a\rb',
    '$X a',
    'tail -n $N a',
    'date "$X"',
    'cat $"/etc/passwd"',
    "cat ''~ann/.ssh/id_rsa",
    String.raw`echo "中\"; cat /etc/passwd; echo "中\""`,
    'echo "中`cat a`"',
    'cat 中| head -n link',
    'cat ""~/.ssh/id_rsa',
    'cat ""=ls',
    'true {PATH}<a; cat a',
    "[[ 'a[$(cat /etc/passwd)]' -eq 0 ]]",
    '[ "$X" -eq 0 ]',
    "printf '%n' 'a[$(cat /etc/passwd)]'",
    'cat a 1<>/etc/passwd',
    "jq -n '$ ENV'",
  ])('%j', (line) => {
    expect(staysInside(line)).toBe(false);
  });

  it('reads a link that it has just moved, where edits are accepted', () => {
    expect(staysInside('mv a/b/link link && cat link', { acceptsEdits: true })).toBe(false);
    expect(staysInside('cp -L link a', { acceptsEdits: true })).toBe(false);
    expect(staysInside('sed -i s/a/b/ a', { acceptsEdits: true })).toBe(false);
    expect(staysInside('touch "/etc/x"', { acceptsEdits: true })).toBe(false);
  });

  it('moves each file that it names before the last, where edits are accepted', () => {
    const moved = ['mv link /dev/null', 'mv a /dev/null b', 'cp -- a b c'].map(
      (line) => readCommand(line, { acceptsEdits: true }).moved,
    );

    expect(moved).toEqual([['link'], ['a', '/dev/null'], ['a', 'b']]);
  });

  const alone = autoAllowedPrograms.filter((name) => name !== 'git' && name !== 'docker');
  const names = [...alone, ...autoAllowedSubcommands];

  it('has any option that is not known', () => {
    const option = fc.stringMatching(/^--unknown-[a-z]{1,8}(?:=[a-z/.]{1,9})?$/);
    const words = fc.array(fc.constantFrom('a', '-n', 'src/b.ts', '5'), { maxLength: 3 });

    fc.assert(
      fc.property(fc.constantFrom(...names), words, option, (program, before, unknown) => {
        expect(staysInside([program, ...before, unknown].join(' '))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('has the name of a reader in any disguise, and is not a plain sentence', () => {
    const disguise = fc.constantFrom<(name: string) => string>(
      (name) => `${name} "a b"`,
      (name) => `"${name}" a`,
      (name) => `${name[0]}''${name.slice(1)} a`,
      (name) => `\\${name} a`,
      (name) => `${name.slice(0, 1)}\\\n${name.slice(1)} a`,
      (name) => `npm test; ${name} a`,
      (name) => `npm test&${name} a`,
      (name) => `(${name} a)`,
      (name) => `{ ${name} a; }`,
      (name) => `! ${name} a`,
      (name) => `echo $(${name} a)`,
      (name) => `npm test \`${name} a\``,
      (name) => `npm test <(${name} a)`,
      (name) => `A="b c" ${name} a`,
      (name) => `A='x; y' ${name} a`,
      (name) => `<a ${name} b`,
      (name) => `2>a ${name} b`,
      (name) => `time -p ${name} "a"`,
      (name) => `env A="b" ${name} a`,
      (name) => `if true; then ${name} a; fi`,
      (name) => `f() { ${name} a; }; f`,
      (name) => `case x in x) ${name} a;; esac`,
      (name) => `npm test\n${name} a`,
      (name) => `/usr/bin/${name} "a"`,
    );

    fc.assert(
      fc.property(fc.constantFrom(...names), disguise, (name, hide) => {
        expect(readCommand(hide(name)).paths).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

it('the programs include every one that may be called', () => {
  expect(autoAllowedPrograms).toEqual(expect.arrayContaining([...plainCalls.keys()]));
});

// Quoted or not, its length must not matter.
it('a word of many braces and commas is read at once', () => {
  expect(readCommand(`echo ${'{'.repeat(3_300)}${','.repeat(6_600)}`).paths).toBeUndefined();
  expect(readCommand(`npm ${'{;a='.repeat(100_000)}`).paths).toEqual([]);
});
