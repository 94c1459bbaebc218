import { posix, win32, type PlatformPath } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside } from '../../src/core/paths.js';

/** File names, including some that look like something else. */
const name = fc.oneof(
  fc.constantFrom('a', 'ab', '..a', '...', '-', 'a.b', 'con'),
  fc.stringMatching(/^[a-z]{1,4}$/),
);

const flavours: readonly (readonly [string, PlatformPath, readonly string[]])[] = [
  ['POSIX', posix, ['/']],
  ['Windows', win32, ['C:\\', 'D:\\', '\\\\server\\share\\']],
];

describe.each(flavours)('isInside with %s paths', (_name, flavour, roots) => {
  const names = fc.array(name, { maxLength: 5 });
  const path = fc
    .tuple(fc.constantFrom(...roots), names)
    .map(([root, below]) => root + below.join(flavour.sep));
  const inside = (child: string, folder: string): boolean => isInside(child, folder, flavour);

  it('is reflexive', () => {
    fc.assert(fc.property(path, (folder) => inside(folder, folder)));
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(path, names, names, (top, first, second) => {
        const middle = flavour.join(top, ...first);
        const bottom = flavour.join(middle, ...second);

        return inside(middle, top) && inside(bottom, middle) && inside(bottom, top);
      }),
    );
  });

  it('is antisymmetric: two different folders are not inside each other', () => {
    fc.assert(
      fc.property(path, path, (first, second) => {
        fc.pre(first !== second);

        return !(inside(first, second) && inside(second, first));
      }),
    );
  });

  it('does not hold for a parent or for a sibling', () => {
    fc.assert(
      fc.property(path, name, name, (parent, first, second) => {
        fc.pre(first !== second);

        expect(inside(parent, flavour.join(parent, first))).toBe(false);
        expect(inside(flavour.join(parent, first), flavour.join(parent, second))).toBe(false);
        expect(inside(flavour.join(parent, first, second), flavour.join(parent, second))).toBe(false);
      }),
    );
  });

  it('does not hold for a sibling whose name begins with the name of the folder', () => {
    fc.assert(
      fc.property(path, name, fc.stringMatching(/^[a-z]{1,3}$/), (parent, first, more) => {
        const folder = flavour.join(parent, first);

        return !inside(`${folder}${more}`, folder);
      }),
    );
  });

  it('ignores trailing separators and steps that lead back inside', () => {
    fc.assert(
      fc.property(path, path, name, (child, folder, detour) => {
        const expected = inside(child, folder);

        expect(inside(child + flavour.sep, folder)).toBe(expected);
        expect(inside(child, folder + flavour.sep)).toBe(expected);
        expect(inside([child, detour, '..'].join(flavour.sep), folder)).toBe(expected);
        expect(inside(child, [folder, detour, '..', '.'].join(flavour.sep))).toBe(expected);
      }),
    );
  });

  it('does not hold for steps that lead out', () => {
    fc.assert(
      fc.property(path, name, (parent, first) => {
        const folder = flavour.join(parent, first);

        return !inside([folder, '..'].join(flavour.sep), folder);
      }),
    );
  });

  it('does not hold for relative paths or inside them', () => {
    fc.assert(
      fc.property(path, names, fc.constantFrom('', '.', '..'), (folder, below, start) => {
        const relative = [start, ...below].filter((part) => part !== '').join(flavour.sep);

        expect(inside(relative, folder)).toBe(false);
        expect(inside(folder, relative)).toBe(false);
      }),
    );
  });

  it('agrees with comparing the segments one by one', () => {
    fc.assert(
      fc.property(path, path, (child, folder) => {
        expect(inside(child, folder)).toBe(startsWithSegments(child, folder, flavour));
      }),
    );
  });
});

describe('isInside on Windows', () => {
  it.each([
    ['C:\\Users\\Ann\\x', 'c:\\users\\ann', true],
    ['C:/Users/Ann/x', 'C:\\Users\\Ann', true],
    ['C:\\Users', 'C:\\', true],
    ['D:\\Users', 'C:\\', false],
    ['C:\\Users\\Anna', 'C:\\Users\\Ann', false],
    ['C:Users', 'C:\\', false],
    ['\\\\server\\share\\a', '\\\\SERVER\\share', true],
    ['\\\\server\\other\\a', '\\\\server\\share', false],
  ])('%s in %s: %s', (path, folder, expected) => {
    expect(isInside(path, folder, win32)).toBe(expected);
  });
});

describe('isInside on POSIX', () => {
  it.each([
    ['/', '/', true],
    ['/a', '/', true],
    ['/', '/a', false],
    ['/A/b', '/a', false],
    ['/a/..b', '/a', true],
    ['/a/...', '/a', true],
    ['/a\\b', '/a', false],
  ])('%s in %s: %s', (path, folder, expected) => {
    expect(isInside(path, folder, posix)).toBe(expected);
  });
});

/** The reference: every segment of the folder has the same position in the path. */
function startsWithSegments(path: string, folder: string, { sep }: PlatformPath): boolean {
  const segments = (text: string): string[] => text.split(sep).filter((part) => part !== '');
  const own = segments(path);
  return segments(folder).every((part, index) => own[index] === part);
}
