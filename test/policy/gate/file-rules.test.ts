import { describe, expect, it } from 'vitest';
import { folderOf, reachesOutside } from '../../../src/policy/gate/file-rules.js';

const folders = ['/p', '/q/r'];

describe('a rule about files', () => {
  it.each([
    'Read(//**)',
    'Read(//etc/**)',
    'Read(//p)',
    'Read(//pp/**)',
    'Read(//p/../etc/**)',
    'Read(//p*/**)',
    'Read(//{p,etc}/**)',
    'Read(~/**)',
    'Read(~)',
    'Read(../**)',
    'Read(a/../../b)',
    'Read(C:/**)',
    String.raw`Read(..\\**)`,
    'Grep(//**)',
    'Glob(//**)',
    'LSP(//**)',
    'Edit(//**)',
    'Write(//etc/x)',
  ])('may reach outside the folders of a session: %s', (rule) => {
    expect(reachesOutside(rule, folders)).toBe(true);
  });

  it.each([
    'Read',
    'Read(**)',
    'Read(./src/**)',
    'Read(src/*.ts)',
    'Read(/etc/**)',
    'Read(//p/**)',
    'Read(//p/src/*.ts)',
    'Read(//q/r/**)',
    'Edit(src/**)',
    'Bash(cat //etc/passwd)',
    'WebFetch(domain:a.b)',
    'mcp__files__read',
  ])('stays inside them, or is bounded otherwise: %s', (rule) => {
    expect(reachesOutside(rule, folders)).toBe(false);
  });

  it.each([
    ['Read(//usr/include/**)', '/usr/include'],
    ['Read(//usr/inc*)', '/usr'],
    ['Read(//**)', '/'],
    ['Read(//usr/../etc/**)', undefined],
    ['Read(src/**)', undefined],
    ['Read', undefined],
    ['Bash(//usr/**)', undefined],
  ])('names a folder only with an absolute path: %s', (rule, folder) => {
    expect(folderOf(rule)).toBe(folder);
  });
});
