/** From spawn to the first answer, in both protocol eras, against the least that Node can do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineRow } from './row.js';
import { withStage, type Stage } from './stage.js';
import { describeTimes, interleave, minimum, ms } from './timing.js';

const ROUNDS = 15;
const SERVER = fileURLToPath(new URL('../../dist/claude-code-mcp.js', import.meta.url));

const ECHO = `
process.stdin.on('data', (line) => {
  const { id } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');
});
`;

const CLIENT = { name: 'bench', version: '1.0.0' };
const INITIALIZE = request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: CLIENT,
});
const DISCOVER = request('server/discover', {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
});

export const start = defineRow({
  name: 'start',
  budget: {
    initialize: { what: 'start to answer of initialize, against a bare Node echo', max: 2.2, unit: 'x' },
    discover: { what: 'start to answer of server/discover, against a bare Node echo', max: 2.2, unit: 'x' },
  },
  measure: () =>
    withStage(async ({ sandbox }) => {
      const echo = join(sandbox.root, 'echo.mjs');
      writeFileSync(echo, ECHO);
      const cases = {
        echo: () => timeToAnswer(echo, INITIALIZE, sandbox),
        initialize: () => timeToAnswer(SERVER, INITIALIZE, sandbox),
        discover: () => timeToAnswer(SERVER, DISCOVER, sandbox),
      };
      // The first of each reads the files from disk.
      await interleave(1, cases);
      const times = await interleave(ROUNDS, cases);
      const least = minimum(times.echo);
      return {
        values: {
          initialize: minimum(times.initialize) / least,
          discover: minimum(times.discover) / least,
        },
        detail:
          `echo ${describeTimes(times.echo)}; initialize ${describeTimes(times.initialize)}; ` +
          `discover ${describeTimes(times.discover)}; the server adds ${ms(minimum(times.initialize) - least)}`,
      };
    }),
});

async function timeToAnswer(program: string, line: string, sandbox: Stage['sandbox']): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], {
    env: sandbox.env(),
    cwd: sandbox.project,
    stdio: 'pipe',
  });
  const exited = once(child, 'exit');
  child.stdin.write(line);
  const [answer] = (await Promise.race([once(child.stdout, 'data'), exited])) as [Buffer | number | null];
  const elapsed = performance.now() - startedAt;
  child.stdin.end();
  await exited;
  if (!Buffer.isBuffer(answer) || !answer.includes('"result"')) {
    throw new Error(`${program} did not answer ${line.trim()}: ${String(answer)}`);
  }
  return elapsed;
}

function request(method: string, params: unknown): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`;
}
