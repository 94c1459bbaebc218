import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claims } from './claims.js';
import { isMissing, testsNamedIn } from './test-references.js';

describe('the table of promises', () => {
  const named = testsNamedIn(readFileSync('docs/adr/0037-promises-and-tests.md', 'utf8'));

  it('names only tests that exist', () => {
    expect(named.length).toBeGreaterThan(150);
    expect(named.filter(isMissing)).toEqual([]);
  });
});

describe('the section on security in the README', () => {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('\n## Security\n');
  const [list = ''] = section.trim().split('\n\n', 1);
  const points = list.split(/^\d\. /m).slice(1);
  const sentences = points.flatMap((point) =>
    point
      .trim()
      .replaceAll(/\s+/g, ' ')
      .split(/(?<=\.) (?=[A-Z`])/),
  );

  it('has tests behind each of its sentences', () => {
    expect(sentences).toEqual(Object.keys(claims));
    const named = Object.values(claims).flatMap(testsNamedIn);
    expect(named.filter(isMissing)).toEqual([]);
  });
});
