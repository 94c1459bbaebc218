import { readFile, rm } from 'node:fs/promises';
import { build, context } from 'esbuild';

// Start-up is import cost: one bundle for what answers first, chunks for the rest. The Agent SDK stays outside:
// it finds its own executable relative to itself.
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
  keepNames: true,
  external: ['@anthropic-ai/claude-agent-sdk'],
  define: { __VERSION__: JSON.stringify(version) },
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
};

if (process.argv.includes('--watch')) {
  const watching = await context({ ...options, logLevel: 'info' });
  await watching.watch();
} else {
  await rm('dist', { recursive: true, force: true });
  await build(options);
}
