import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** The entry file and one chunk with all other code that loads at start-up. */
const eagerFiles = 2;

/** The same, and what the server shares with parts that load before it: a config file, an audit log, help. */
const serverFiles = 6;

/** Importing one of these takes as long as a tenth of the server. */
const slowModules = new Set(['node:crypto', 'node:process', 'node:http', 'node:child_process']);

/**
 * Loading a file costs time. esbuild creates a chunk for each set of lazy parts that share code, which splits the code
 * of the server into dozens of files. If every part that loads later imports all code that has been loaded by then,
 * esbuild puts it into one chunk. There are two such steps: the entry, and the server that it loads on demand. The
 * build fails if either has more files, or imports a slow module.
 */
export function fewChunks({ entry, server, later }) {
  return {
    name: 'few-chunks',
    async setup(build) {
      build.initialOptions.metafile = true;
      // A build without this plugin shows which imports are static and which are dynamic.
      const plain = await build.esbuild.build({ ...build.initialOptions, plugins: [], write: false });
      const { inputs } = plain.metafile;
      const everything = Object.keys(inputs);
      const eager = new Set(closureOf(entry, inputs));
      const lazyIn = (paths) =>
        new Set(
          paths.flatMap((path) => importsOf(inputs[path], 'dynamic-import').map((one) => resolve(one))),
        );
      const afterEntry = lazyIn([...eager]);
      const afterServer = lazyIn(everything.filter((path) => !eager.has(path)));
      for (const path of later) afterServer.add(resolve(path));
      const loaded = {
        entry: importsOf(inputs[entry], 'import-statement'),
        server: [server],
      };
      build.onResolve({ filter: /^loaded:/ }, ({ path }) => ({
        path: path.slice('loaded:'.length),
        namespace: 'loaded',
        sideEffects: true,
      }));
      build.onLoad({ filter: /.*/, namespace: 'loaded' }, ({ path }) => ({
        // esbuild drops bare imports of files without side effects, with a warning each.
        contents: loaded[path].map((one) => `export * from ${JSON.stringify(resolve(one))};`).join('\n'),
        resolveDir: resolve('.'),
        loader: 'ts',
      }));
      build.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
        const steps = afterEntry.has(path) ? ['entry'] : afterServer.has(path) ? ['entry', 'server'] : [];
        if (steps.length === 0) return undefined;
        const imports = steps.map((step) => `import 'loaded:${step}';`);
        return { contents: [await readFile(path, 'utf8'), ...imports].join('\n'), loader: 'ts' };
      });
      build.onEnd(({ metafile }) => {
        if (metafile === undefined) return undefined;
        const problems = [
          ...problemsOf(metafile.outputs, entry, eagerFiles),
          ...problemsOf(metafile.outputs, server, serverFiles),
        ];
        return { errors: problems.map((text) => ({ text })) };
      });
    },
  };
}

/** The files that a source file imports this way, without packages outside the bundle. */
function importsOf({ imports }, kind) {
  return imports.filter((one) => one.kind === kind && !one.external).map(({ path }) => path);
}

/** A file and everything that loads with it. */
function closureOf(first, files) {
  const found = new Set([first]);
  // A Set also visits items that are added during the loop.
  for (const path of found) for (const one of importsOf(files[path], 'import-statement')) found.add(one);
  return found;
}

function problemsOf(outputs, source, mostFiles) {
  const [first] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
  const files = [...closureOf(first, outputs)];
  const slow = files
    .flatMap((path) => outputs[path].imports)
    .filter(({ kind, path }) => kind === 'import-statement' && slowModules.has(path));
  return [
    ...(files.length <= mostFiles
      ? []
      : [`${source} loads ${files.length} files, at most ${mostFiles} are allowed: ${files.join(', ')}`]),
    ...slow.map(({ path }) => `${source} loads ${path}, which delays the start`),
  ];
}
