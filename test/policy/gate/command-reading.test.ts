import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside } from '../../../src/core/paths.js';
import { readCommand, type ReadingContext } from '../../../src/policy/gate/command-reading.js';
import { plainForms } from '../../../src/policy/gate/plain-programs.js';
import { autoAllowedPrograms, autoAllowedSubcommands } from '../../../src/policy/gate/plain-subcommands.js';

/** Whether a command that starts in /p certainly reads nothing outside of /p, if there are no links. */
function staysInside(line: string, context: ReadingContext = {}): boolean {
  const { places } = readCommand(line, context);
  return (
    places?.every(({ path, from = '.' }) =>
      isInside(resolve('/p', from, path.replace(/^~/, '/home')), '/p'),
    ) === true
  );
}

describe('a command that passes where reading is bounded', () => {
  it.each([
    'ls -la',
    'ls',
    'pwd',
    'git status',
    'git status --short --branch',
    'git log --oneline -5',
    'git log -n 3 --format="%h %s" -- src',
    'git diff',
    'git diff HEAD~1 -- src/a.ts',
    'git diff --stat main...HEAD',
    'git show HEAD:src/a.ts',
    'git blame -L 1,5 a.ts',
    'git branch --show-current',
    'git rev-parse --abbrev-ref HEAD',
    'grep -rn foo src',
    'grep -rn "/api/users" src --include=*.ts',
    'grep -E "a|b" a.ts',
    'cat a.ts | head -50',
    'cat a.ts b.ts',
    'cat < a.ts',
    "find . -name '*.ts'",
    String.raw`find src \( -name a -o -name b \) -not -path "*/x/*" -type f`,
    'wc -l src/*',
    'rg foo src',
    "rg -n --glob '*.ts' foo",
    'rg --files src',
    'npm test 2>&1 | tail -20',
    'npm run build && ls dist',
    'npm test; echo "exit: $?"',
    'FOO=bar npm test',
    'env FOO=bar npm test',
    'LC_ALL=C sort a.txt | uniq -c',
    'timeout 5 cat a.txt',
    'time ls',
    'cd ./src && ls -la',
    'cd src && npm test',
    'cd src && npm test 2>&1 | grep -v ok | tail -20',
    'cd /p/src && git status',
    'cd ./sub && cat ../a.txt',
    "sed -n '1,20p' a.ts",
    "sed 's/a/b/g' a.ts",
    "jq -r '.scripts | keys[]' package.json",
    'tail -f -n 5 log.txt',
    'diff -u a.ts b.ts',
    'test -f package.json && npm ci',
    '[ -d src ] || mkdir src',
    'if [ -f a ]; then cat a; fi',
    'if [ -n "$CI" ]; then npm test; fi',
    '[[ "$X" == *.ts ]] && npm test',
    'npm test; [ $? -eq 0 ] && ls',
    'FOO="a b" npm test',
    "grep -E '中文|été' src | head",
    'echo "$HOME"',
    'echo done > out.txt',
    'printf "%s\\n" a b',
    'which node',
    'node --version',
    'node -e "x"',
    'make all',
    './run.sh --help',
    'bash -c "cat /etc/passwd"',
    'git commit -m "fix: x"',
    `git commit -m "$(cat <<'EOF'\nFix $HOME (all) \`of\` it\n\nDone.\nEOF\n)"`,
    "cat > a.txt <<'EOF'\n$(cat /etc/passwd)\nEOF\nls",
    'git add -A && git commit -m wip && git push',
    'docker ps -a',
    'docker compose up',
    'gh pr view 12 --json title',
    'for i in 1 2 3; do npm test; done',
    '(npm test) && ls',
    'ls # /etc/passwd',
    'ls 2>/dev/null || true',
    'command -v git',
    'date +%F',
    'tree -L 2 src',
    'du -sh .',
    'lsof -i :3000',
    'sleep 5; ls',
    'grep foo a.ts /dev/null',
  ])('%j', (line) => {
    expect(staysInside(line)).toBe(true);
  });

  it('is one that a rule allows', () => {
    const allowing = (rule: string) => staysInside('diff --from-file=/etc/passwd a', { rules: [rule] });

    expect(['Bash(diff *)', 'Bash(diff:*)', 'Bash(diff --from-file=/etc/passwd a)'].map(allowing)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['Bash(dif *)', 'Bash(cat *)', 'Read', 'Bash(diff)'].map(allowing)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('edits files inside the folder, where edits are accepted', () => {
    const lines = ['mkdir -p a && touch a/b', 'cp -r a b', "sed -i 's/a/b/' a", 'mkdir b && mv a b/'];

    expect(lines.map((line) => staysInside(line, { acceptsEdits: true }))).toEqual(lines.map(() => true));
  });
});

describe('a command that is held where reading is bounded', () => {
  it.each([
    'cat /etc/passwd',
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
    'grep -nR word .',
    'grep -f list a',
    'grep -flist a',
    'grep --file=list a',
    'grep --exclude-from=list x .',
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
  });

  it('has any option that is not known', () => {
    const echoing = new Set(['echo', 'printf', 'true', 'false', 'test', '[', '[[']);
    const programs = [...plainForms.keys(), ...autoAllowedSubcommands].filter((name) => !echoing.has(name));
    const option = fc.stringMatching(/^--unknown-[a-z]{1,8}(?:=[a-z/.]{1,9})?$/);
    const words = fc.array(fc.constantFrom('a', '-n', 'src/b.ts', '5'), { maxLength: 3 });

    fc.assert(
      fc.property(fc.constantFrom(...programs), words, option, (program, before, unknown) => {
        expect(staysInside([program, ...before, unknown].join(' '))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

it.each([
  ['git status', false],
  ['git status -s', false],
  ['git status -v', true],
  ['git status -svv', true],
  ['git status --verbose', true],
])('%s shows contents of the whole repository: %s', (line, isShown) => {
  const isRepository = readCommand(line).places?.some(({ kind }) => kind === 'repository');

  expect(isRepository).toBe(isShown);
});

it.each(['cat "~/a"', String.raw`cat \~/a`, "cat '~'/a", 'cat < "~/a"'])(
  'a tilde in quotes is the name of a folder: %s',
  (line) => {
    expect(readCommand(line).places).toContainEqual({ path: './~/a', kind: 'path' });
  },
);

it('the programs include every one with a form', () => {
  expect(autoAllowedPrograms).toEqual(expect.arrayContaining([...plainForms.keys(), 'git', 'docker']));
});

// A regular expression would try every pair of signs, for a quarter of an hour.
it('a word of many braces and commas is read', () => {
  const { places } = readCommand(`echo ${'{'.repeat(3_300)}${','.repeat(6_600)}`);

  expect(places).toEqual([{ path: '.', kind: 'path' }]);
});
