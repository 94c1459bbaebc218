import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/core/text/shell-word.js';

const isPosix = process.platform !== 'win32';

/** What fish makes of a word: between single quotes, it acts on `\'` and `\\`, and between double quotes on `\\`. */
function inFish(word: string): string | undefined {
  const parts = [...word.matchAll(/'((?:[^'\\]|\\['\\]|\\)*?)'|"((?:[^"\\$]|\\\\)*)"/gy)];
  if (parts.map(([part]) => part).join('') !== word) return undefined;
  return parts.map(([, single, double]) => (single ?? double ?? '').replaceAll(/\\(['\\])/g, '$1')).join('');
}

describe('a path as one word of a command', () => {
  it.each([
    ['/home/ann/app', '/home/ann/app'],
    ['/home/ann/my app', "'/home/ann/my app'"],
    ['/srv/$(touch x)`id`;&|!*~#', "'/srv/$(touch x)`id`;&|!*~#'"],
    [`/srv/Ann's`, `'/srv/Ann'"'"'s'`],
    ['/srv/a\nb', undefined],
    ['/srv/a\u001b]0;x', undefined],
  ])('%j is %j', (path, word) => {
    expect(shellWord(path, 'linux')).toBe(word);
  });

  it.runIf(isPosix)('is that path in the shell of the system', () => {
    const part = fc.stringMatching(/^[ -~]{1,12}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const path = `/${parts.join('/')}`;
        const word = shellWord(path, 'linux') ?? '';

        expect(execFileSync('/bin/sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(path);
      }),
      { numRuns: 30 },
    );
  });

  it.each(["/a\\'; touch x; echo '", "/a\\\\'; touch x", '/a\\', "/it's \\ a 'b'"])(
    'is that path in fish, which acts on backslashes between quotes: %j',
    (path) => {
      expect(inFish(shellWord(path, 'linux') ?? '')).toBe(path);
    },
  );
});
