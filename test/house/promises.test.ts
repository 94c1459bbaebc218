import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** `test/a.test.ts: "a title", "another"; test/b.test.ts` */
const reference = /(test\/[\w./-]+\.ts)((?:[^;|]*?: )?(?:"[^"]*"[^;|]*)?)/g;

interface Reference {
  readonly file: string;
  readonly title: string | undefined;
}

function referencesIn(path: string): Reference[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(reference)].flatMap(([, file = '', titles = '']): Reference[] => {
    const quoted = [...titles.matchAll(/"([^"]*)"/g)].map(([, title = '']) => title);
    return quoted.length === 0 ? [{ file, title: undefined }] : quoted.map((title) => ({ file, title }));
  });
}

function isMissing({ file, title }: Reference): boolean {
  if (!existsSync(file)) return true;
  const source = readFileSync(file, 'utf8').replaceAll('\\', '');
  // A title may stand for several: "refuses %s" or "refuses …".
  const parts = (title?.split(' > ').at(-1) ?? '').split(/…|%[sj]|\$\w+|\{.*\}|\[.*\]/);
  return parts.some((part) => !source.includes(part.trim()));
}

describe('the table of promises', () => {
  const references = referencesIn('docs/adr/0037-promises-and-tests.md');

  it('names tests', () => {
    expect(references.length).toBeGreaterThan(150);
  });

  it('names only tests that exist', () => {
    expect(references.filter(isMissing)).toEqual([]);
  });
});
