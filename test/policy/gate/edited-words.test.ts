import { describe, expect, it } from 'vitest';
import { editedWords } from '../../../src/policy/gate/edited-words.js';

describe('the words of a command that name what it edits', () => {
  it.each([
    'cp a bin/x',
    '/bin/cp a bin/x',
    'A=b cp a bin/x',
    'timeout 5 cp a bin/x',
    '{ cp a bin/x; }',
    '$copy cp a bin/x',
    'true && mv a bin/x',
    'ls | xargs rm bin/x',
    'cp "a" b\'in/\'x',
    String.raw`cp a b\in/x`,
    'cp a bi\\\nn/x',
    'sed -i "s|a|b|;" bin/x',
    'sed -n -Ei.bak s/a/b/ bin/x',
    'sed --in-place s/a/b/ bin/x',
    'ls > bin/x',
    'ls 2>>bin/x',
    'ls >| bin/x',
    'cd bin/x && cp ../a b',
    'cp "$(ls)" bin/x',
    'cp a bin/x <<EOF',
    "cp a bin/x 'open",
    'git mv a bin/x',
    'git -C sub mv a bin/x',
    "cat > bin/x <<'EOF'\na\nEOF",
    'cat <<-EOF > bin/x\na\n\tEOF\n',
    'echo "$a" > bin/x',
    'echo $(id) >>"bin/x"',
    'echo "$a" | tee bin/x',
    'eval cp a bin/x',
    'exec cp a bin/x',
    "bash -c 'cp a bin/x'",
    'sudo sh -c "ls; cp a bin/x"',
    'bash -c "cp $a bin/x"',
    'trap "cp a bin/x" EXIT',
    'for f in bin/x; do cp a $f; done',
    'find . -name a -exec cp {} bin/x ;',
    'rsync -a -- --exclude bin/x',
    'cp a --exclude bin/x',
    'ls ${a:- # }; cp a bin/x',
    "ls # it's\ncp a bin/x # it's",
    String.raw`ls a\ # b; cp a bin/x`,
    "cat <<'EOF'\nit's\nEOF\ncp a bin/x # it's",
    "cat <<'EOF' | bash\ncp a bin/x\nEOF",
    "cat <<'EOF' | python3 -\nos.system('cp a bin/x')\nEOF",
    "bash <<'EOF'\ncp a bin/x\nEOF",
    "cat > a.sh <<'EOF'\ncp a bin/x\nEOF\nsh a.sh",
    "cat <<'EOF'\na\\\nEOF\ncp a bin/x\ncat <<'EOF'\nEOF",
    'cat <<EOF\n$(cp a bin/x)\nEOF',
    "cat <<'EOF'\n\tEOF\n'\nEOF\ncp a bin/x # '",
    "git commit -m \"$(cat <<'EOF'\na\nEOF\ncp a bin/x\ncat <<'EOF'\nb\nEOF\n)\"",
    'bash -c "$(cat <<\'EOF\'\ncp a bin/x\nEOF\n)"',
  ])('contain its operands: %s', (line) => {
    expect(editedWords(line).edited).toContain('bin/x');
  });

  it.each([
    'bin/x --watch',
    'rm -rf dist && bin/x',
    'cp a b; node bin/x',
    'cat bin/x | grep cp',
    'sed -n 1,3p bin/x',
    'grep -rn "npm install; cp" bin/x',
    'cd bin/x && ls',
    'ls 2>&1 | bin/x',
    '# cp a b\nbin/x',
    "cat > notes.md <<'EOF'\nit's\ncp a bin/x\nEOF",
    'cat > notes.md <<EOF\ncp a bin/x\nEOF\nls',
    'git commit -m "cp a" bin/x',
    'git add cp bin/x',
    'git commit -m "$(cat <<\'EOF\'\nMove cp into bin/x\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)\nEOF\n)"',
    'find . -path bin/x -prune -o -name cp',
    'eval "$(mise env)" && npm install && bin/x',
    'rsync -a --exclude bin/x a b',
    'tar czf a.tgz --exclude=bin/x .',
  ])('do not contain what it runs or reads: %s', (line) => {
    expect(editedWords(line).edited).not.toContain('bin/x');
  });

  it('contain the values of its variables', () => {
    expect(editedWords('d=.github; mv hooks $d; ls src').moved).toEqual([
      '.',
      'mv',
      'hooks',
      '$d',
      'd=.github',
    ]);
  });

  it('are moved only by programs that give a file another path', () => {
    expect(editedWords('rm a && touch b')).toEqual({ edited: ['.', 'rm', 'a', 'touch', 'b'], moved: [] });
    expect(editedWords('mkdir d && mv a d')).toEqual({
      edited: ['.', 'mkdir', 'd', 'mv', 'a', 'd'],
      moved: ['.', 'mv', 'a', 'd'],
    });
  });
});
