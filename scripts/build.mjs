import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';
import { fewChunks } from './few-chunks.mjs';

// Start-up time is import time: one bundle answers the first requests, and chunks load later. Two packages stay
// outside. The Agent SDK finds its executable relative to itself, and prom-client calls require for built-in modules.
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const entry = 'src/bin/claude-code-mcp.ts';
const service = 'src/bin/service.ts';
const terminal = 'src/bin/console.ts';
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
    entryPoints: [entry, service, terminal],
    splitting: true,
    external: ['@anthropic-ai/claude-agent-sdk', 'prom-client'],
    alias: {
      '@modelcontextprotocol/server/_shims': withoutValidator,
      '@modelcontextprotocol/client/_shims': withoutValidator,
      // Its main file loads the others in a way that the bundler does not understand.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [fewChunks({ entry, server: 'src/app/app.ts', later: [service, terminal] })],
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
const openings = 'dist/openings';

if (process.argv.includes('--watch')) {
  // They would not follow the changes.
  await rm(openings, { recursive: true, force: true });
  for (const program of programs) await (await context({ ...program, logLevel: 'info' })).watch();
} else {
  const built = await Promise.all(programs.map((program) => build({ ...program, metafile: true })));
  const copies = pageFiles.map((name) => [`web/page/${name}`, `dist/page/${name}`]);
  for (const [from, to] of copies) await cp(from, to);
  await writeFile(viewFile, await viewPage());
  const answers = await writeOpenings();
  await removeStale([
    ...answers,
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

// The server answers the first requests of a client from these files, before it has loaded the MCP SDK.
async function writeOpenings() {
  const outdir = 'dist/capture';
  await build({ ...programs[0], entryPoints: ['scripts/openings.ts'], outdir, plugins: [] });
  const { captureOpenings } = await import(pathToFileURL(`${outdir}/openings.js`).href);
  const files = Object.entries(await captureOpenings(version));
  await rm(outdir, { recursive: true });
  await mkdir(openings, { recursive: true });
  for (const [name, answers] of files)
    await writeFile(`${openings}/${name}.json`, `${JSON.stringify(answers)}\n`);
  return files.map(([name]) => `${openings}/${name}.json`);
}

// Runs after the build, so that a server that starts meanwhile still finds its files.
async function removeStale(outputs) {
  const fresh = new Set(outputs.map((path) => resolve(path)));
  for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
    const path = resolve(join(entry.parentPath, entry.name));
    if (entry.isFile() && !fresh.has(path)) await rm(path);
  }
}
