import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** The entry file and one chunk with all other code that loads at start-up. */
const eagerFiles = 2;

/** Importing one of these takes as long as a tenth of the eager code. */
const slowModules = new Set(['node:crypto', 'node:process', 'node:http', 'node:child_process']);

/**
 * Loading a file costs start-up time. esbuild creates a chunk for each set of lazy parts that share code, which splits
 * the eager code into dozens of files. If every lazy part imports all eager code, which is already loaded by then,
 * esbuild puts it into one chunk. Otherwise the build fails. The other entry points are lazy parts, too.
 */
export function oneEagerChunk(entry) {
  return {
    name: 'one-eager-chunk',
    async setup(build) {
      build.initialOptions.metafile = true;
      // A build without this plugin shows which imports are static and which are dynamic.
      const plain = await build.esbuild.build({ ...build.initialOptions, plugins: [], write: false });
      const { inputs } = plain.metafile;
      const eager = importsOf(inputs[entry], 'import-statement');
      const lazy = new Set([
        ...Object.values(inputs).flatMap((input) => importsOf(input, 'dynamic-import')),
        ...build.initialOptions.entryPoints.filter((path) => path !== entry).map((path) => resolve(path)),
      ]);
      build.onResolve({ filter: /^eager:all$/ }, () => ({
        path: 'all',
        namespace: 'eager',
        sideEffects: true,
      }));
      build.onLoad({ filter: /.*/, namespace: 'eager' }, () => ({
        // esbuild drops bare imports of files without side effects, with a warning each.
        contents: eager.map((path) => `export * from ${JSON.stringify(path)};`).join('\n'),
        resolveDir: resolve('.'),
        loader: 'ts',
      }));
      build.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) =>
        lazy.has(path)
          ? { contents: `${await readFile(path, 'utf8')}\nimport 'eager:all';`, loader: 'ts' }
          : undefined,
      );
      build.onEnd(({ metafile }) => {
        if (metafile === undefined) return undefined;
        const files = loadedAtOnce(metafile.outputs, entry);
        const slow = files
          .flatMap((path) => metafile.outputs[path].imports)
          .filter(({ kind, path }) => kind === 'import-statement' && slowModules.has(path));
        return {
          errors: [
            ...(files.length === eagerFiles
              ? []
              : [
                  {
                    text: `The eager code is in ${files.length} files, not ${eagerFiles}: ${files.join(', ')}`,
                  },
                ]),
            ...slow.map(({ path }) => ({ text: `The eager code imports ${path}, which delays the start` })),
          ],
        };
      });
    },
  };
}

/** Absolute paths of the files that a source file imports this way, without packages outside the bundle. */
function importsOf({ imports }, kind) {
  return imports.filter((one) => one.kind === kind && !one.external).map(({ path }) => resolve(path));
}

/** The built files that Node loads before any dynamic import. */
function loadedAtOnce(outputs, entry) {
  const [first] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  const found = new Set([first]);
  // A Set also visits items that are added during the loop.
  for (const path of found)
    for (const one of outputs[path].imports)
      if (one.kind === 'import-statement' && !one.external) found.add(one.path);
  return [...found];
}
