import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, context } from 'esbuild';
import { oneEagerChunk } from './one-eager-chunk.mjs';

// Start-up time is import time: one bundle answers the first requests, and chunks load later. Two packages stay
// outside. The Agent SDK finds its executable relative to itself, and prom-client calls require for built-in modules.
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const server = 'src/bin/claude-code-mcp.ts';
const withoutValidator = './src/mcp/sdk/shims.ts';

const common = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: 'warning',
};

const browser = { ...common, outdir: 'dist/page', platform: 'browser', target: 'es2023' };

const programs = [
  // Built together: the server has loaded the eager code by the time it loads one of the other two.
  {
    ...common,
    entryPoints: [server, 'src/bin/service.ts', 'src/bin/console.ts'],
    splitting: true,
    external: ['@anthropic-ai/claude-agent-sdk', 'prom-client'],
    alias: {
      '@modelcontextprotocol/server/_shims': withoutValidator,
      '@modelcontextprotocol/client/_shims': withoutValidator,
      // Its main file loads the others in a way that the bundler does not understand.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [oneEagerChunk(server)],
  },
  // Runs beside the server with the first session, so it is small too.
  { ...common, entryPoints: ['src/bin/watchdog.ts'] },
  // Runs as another user, so it must not need any other file of this package.
  { ...common, entryPoints: ['src/bin/user-probe.ts'] },
  { ...browser, entryPoints: { page: 'web/page/main.tsx', style: 'web/styles/page.css' } },
];

/** Files of the page that are not compiled. */
const pageFiles = ['index.html', 'icon.svg'];
const viewFile = 'dist/page/view.html';

if (process.argv.includes('--watch')) {
  for (const program of programs) await (await context({ ...program, logLevel: 'info' })).watch();
} else {
  const built = await Promise.all(programs.map((program) => build({ ...program, metafile: true })));
  const copies = pageFiles.map((name) => [`web/page/${name}`, `dist/page/${name}`]);
  for (const [from, to] of copies) await cp(from, to);
  await writeFile(viewFile, await viewPage());
  await removeStale([
    ...built.flatMap(({ metafile }) => Object.keys(metafile.outputs)),
    ...copies.map(([, to]) => to),
    viewFile,
  ]);
}

// One file, because clients display it in a frame that can load nothing.
async function viewPage() {
  const { outputFiles } = await build({
    ...browser,
    entryPoints: { view: 'web/view/main.tsx', style: 'web/view/view.css' },
    write: false,
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
  const page = await readFile('web/view/view.html', 'utf8');
  return page.replace('/* style */', () => textOf('.css')).replace('/* script */', () => textOf('.js'));
}

// Runs after the build, so that a server that starts meanwhile still finds its files.
async function removeStale(outputs) {
  const fresh = new Set(outputs.map((path) => resolve(path)));
  for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
    const path = resolve(join(entry.parentPath, entry.name));
    if (entry.isFile() && !fresh.has(path)) await rm(path);
  }
}
