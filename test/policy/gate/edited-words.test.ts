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
  ])('do not contain what it runs or reads: %s', (line) => {
    expect(editedWords(line).edited).not.toContain('bin/x');
  });

  it('are moved only by programs that give a file another path', () => {
    expect(editedWords('rm a && touch b')).toEqual({ edited: ['.', 'rm', 'a', 'touch', 'b'], moved: [] });
    expect(editedWords('mkdir d && mv a d')).toEqual({
      edited: ['.', 'mkdir', 'd', 'mv', 'a', 'd'],
      moved: ['.', 'mv', 'a', 'd'],
    });
  });
});
