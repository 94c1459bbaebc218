import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Start-up also pays for each file. esbuild makes a chunk for every set of lazy parts that share some code, which cuts
 * what is loaded at once into dozens. If every lazy part needs all of it, which is loaded by then anyway, it is one.
 */
export function oneEagerChunk(entry) {
  return {
    name: 'one-eager-chunk',
    async setup(build) {
      const eager = matchesIn(await readFile(entry, 'utf8'), /^import (?!type).* from '(\..*)';$/gm);
      const lazy = await lazyParts('src');
      build.onResolve({ filter: /^eager:all$/ }, () => ({
        path: 'all',
        namespace: 'eager',
        sideEffects: true,
      }));
      build.onLoad({ filter: /.*/, namespace: 'eager' }, () => ({
        // Bare imports of what is said to have no side effects would be dropped, with a warning each.
        contents: eager.map((path) => `export * from ${JSON.stringify(path)};`).join('\n'),
        resolveDir: dirname(resolve(entry)),
        loader: 'ts',
      }));
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
        lazy.has(path)
          ? { contents: `${await readFile(path, 'utf8')}\nimport 'eager:all';`, loader: 'ts' }
          : undefined,
      );
    },
  };
}

/** The files that are imported when they are needed. */
async function lazyParts(folder) {
  const files = await readdir(folder, { recursive: true });
  const found = await Promise.all(
    files
      .filter((name) => name.endsWith('.ts'))
      .map(async (name) => {
        const path = join(folder, name);
        const parts = matchesIn(await readFile(path, 'utf8'), /\bimport\('(\..*?)'\)/g);
        return parts.map((part) => toSource(dirname(path), part));
      }),
  );
  return new Set(found.flat());
}

function matchesIn(text, pattern) {
  return [...text.matchAll(pattern)].map(([, match]) => match);
}

function toSource(folder, path) {
  return resolve(folder, path.replace(/\.js$/, '.ts'));
}
