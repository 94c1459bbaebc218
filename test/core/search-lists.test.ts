import { expect, it } from 'vitest';
import { wordsIn } from '../../src/core/search-lists.js';

it.each([
  ['linux', '/bin/x:/opt/y --flag=/z', ['/bin/x', '/opt/y', '--flag', '/z']],
  ['win32', 'D:\\repo\\x.exe --flag=D:/repo/y;E:\\z', ['D:\\repo\\x.exe', '--flag', 'D:/repo/y', 'E:\\z']],
  ['win32', 'one:two', ['one', 'two']],
] as const)('finds the paths in a variable on %s: %s', (platform, value, words) => {
  expect(wordsIn(value, platform)).toEqual(words);
});
