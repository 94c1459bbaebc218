import { describe, expect, it } from 'vitest';
import { isSecondName } from '../../../src/policy/gate/second-names.js';

const at = (path: string) => ({ named: path, real: path });

describe('a path that could lead to any file', () => {
  it.each([
    '/proc/self/root/srv/a',
    '/proc/thread-self/cwd/a',
    '/proc/1/root',
    '/proc/$$/root/a',
    '/proc/[s]elf/root/a',
    '/proc/s*/root/a',
    '/.vol/16777220/4711',
    '/.resolve/1/srv/a',
  ])('is known by its beginning: %s', (path) => {
    expect(isSecondName(at(path))).toBe(true);
    expect(isSecondName({ named: '/p/link', real: path })).toBe(true);
  });

  it.each(['/proc/cpuinfo', '/proc/sys/kernel/hostname', '/proc', '/srv/proc/self/root', '/p/.volume'])(
    'is not another one: %s',
    (path) => {
      expect(isSecondName(at(path))).toBe(false);
    },
  );

  it('is no stream that a program has anyway', () => {
    expect(isSecondName({ named: '/dev/stderr', real: '/proc/self/fd/2' })).toBe(false);
    expect(isSecondName({ named: '/dev/fd/7', real: '/proc/self/fd/7' })).toBe(true);
  });
});
