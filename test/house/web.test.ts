import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
  .map((name) => `web/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\.tsx?$/.test(name));

const server = ['src/core', 'src/core/text', 'src/page'];

/** The folders that each folder of web may import besides itself. Of the server, only pure code and the contract. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'web/texts': server,
  'web/parts': [...server, 'web/texts'],
  'web/live': server,
  'web/inbox': [...server, 'web/live', 'web/parts', 'web/texts'],
  'web/sessions': [...server, 'web/inbox', 'web/live', 'web/parts', 'web/texts'],
  'web/usage': [...server, 'web/live', 'web/parts', 'web/texts'],
  'web/screens': [...server, 'web/inbox', 'web/live', 'web/parts', 'web/texts', 'web/sessions'],
  'web/page': [...server, 'web/live', 'web/parts', 'web/texts', 'web/screens', 'web/usage'],
  'web/view': [...server, 'src/page/view', 'web/inbox', 'web/live', 'web/parts', 'web/texts'],
};

it('every import in web is allowed', () => {
  const violations = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => dirname(imported) !== dirname(file))
      .filter((imported) => !(layers[dirname(file)] ?? []).includes(dirname(imported)))
      .map((imported) => `${file} imports ${imported}`),
  );

  expect(violations).toEqual([]);
});

it('web takes only the contract from the room of the page', () => {
  const others = files.flatMap((file) =>
    importsOf(file).filter((one) => one.startsWith('src/page/') && !one.endsWith('/contract.js')),
  );

  expect(others).toEqual([]);
});

it('no folder of web is crowded, and no file is long', () => {
  const folders = Object.keys(layers).filter(
    (folder) => files.filter((file) => dirname(file) === folder).length > 20,
  );
  const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 401);

  expect([folders, long]).toEqual([[], []]);
});

/** Relative imports as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path = '']) =>
    relative(root, join(root, dirname(file), path)).replaceAll('\\', '/'),
  );
}
