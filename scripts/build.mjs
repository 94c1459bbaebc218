import { readFile, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, context } from 'esbuild';

// Start-up is import cost: one bundle for what answers first, chunks for the rest. The Agent SDK stays outside:
// it finds its own executable relative to itself; so does prom-client, which calls require for what Node has.
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const options = {
  entryPoints: ['src/bin/claude-code-mcp.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  external: ['@anthropic-ai/claude-agent-sdk', 'prom-client'],
  alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
  define: { __VERSION__: JSON.stringify(version) },
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
};

if (process.argv.includes('--watch')) {
  const watching = await context({ ...options, logLevel: 'info' });
  await watching.watch();
} else {
  const { metafile } = await build({ ...options, metafile: true });
  await removeStale(Object.keys(metafile.outputs));
}

// After the build, not before it: a server that is being started meanwhile still finds its files.
async function removeStale(outputs) {
  const fresh = new Set(outputs.map((path) => resolve(path)));
  for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
    const path = resolve(join(entry.parentPath, entry.name));
    if (entry.isFile() && !fresh.has(path)) await rm(path);
  }
}
