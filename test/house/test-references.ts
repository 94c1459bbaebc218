import { existsSync, readFileSync } from 'node:fs';

/** `test/a.test.ts: "a title", "another"; test/b.test.ts` */
const references = /(test\/[\w./-]+\.ts)((?:[^;|]*?: )?(?:"[^"]*"[^;|]*)?)/g;

interface TestReference {
  readonly file: string;
  readonly title: string | undefined;
}

/** The tests that a text names. */
export function testsNamedIn(text: string): TestReference[] {
  return [...text.matchAll(references)].flatMap(([, file = '', titles = '']): TestReference[] => {
    const quoted = [...titles.matchAll(/"([^"]*)"/g)].map(([, title = '']) => title);
    return quoted.length === 0 ? [{ file, title: undefined }] : quoted.map((title) => ({ file, title }));
  });
}

export function isMissing({ file, title }: TestReference): boolean {
  if (!existsSync(file)) return true;
  const source = readFileSync(file, 'utf8').replaceAll('\\', '');
  // A title may stand for several: "refuses %s" or "refuses …".
  const parts = (title?.split(' > ').at(-1) ?? '').split(/…|%[sj]|\$\w+|\{.*\}|\[.*\]/);
  return parts.some((part) => !source.includes(part.trim()));
}
