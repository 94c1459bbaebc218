/** The built server, which on SIGUSR2 collects garbage and writes its heap size to the file SOAK_HEAP. */
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collect();
  writeFileSync(process.env['SOAK_HEAP'] ?? '', String(process.memoryUsage().heapUsed));
});

await import('../../dist/claude-code-mcp.js');
