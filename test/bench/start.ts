/** From spawn to the first answer, in both protocol eras, compared with the fastest possible Node process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
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

const BARE_SERVER = `
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
serveStdio(() => new McpServer({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } }));
`;

export const start = defineRow({
  name: 'start',
  budget: {
    initialize: {
      what: 'start until the answer to initialize, compared with a Node echo',
      max: 2.2,
      unit: 'x',
    },
    discover: {
      what: 'start until the answer to server/discover, compared with a Node echo',
      max: 2.2,
      unit: 'x',
    },
    bare: { what: 'start until the answer to initialize, compared with the MCP SDK', max: 1.25, unit: 'x' },
  },
  measure: () =>
    withStage(async ({ sandbox }) => {
      const echo = join(sandbox.root, 'echo.mjs');
      writeFileSync(echo, ECHO);
      const bare = await bundleBareServer(sandbox);
      // Once with this machine's environment, and once without variables that slow down every Node process.
      const asHere = { ...process.env, ...sandbox.env() };
      const clean = sandbox.env();
      const cases = {
        echo: () => timeToAnswer(echo, INITIALIZE, asHere),
        initialize: () => timeToAnswer(SERVER, INITIALIZE, asHere),
        discover: () => timeToAnswer(SERVER, DISCOVER, asHere),
        cleanEcho: () => timeToAnswer(echo, INITIALIZE, clean),
        cleanBare: () => timeToAnswer(bare, INITIALIZE, clean),
        cleanServer: () => timeToAnswer(SERVER, INITIALIZE, clean),
      };
      // The first run of each case reads the files from disk.
      await interleave(1, cases);
      const times = await interleave(ROUNDS, cases);
      const least = minimum(times.echo);
      const ratio = (ours: readonly number[], theirs: readonly number[]): string =>
        `${(minimum(ours) / minimum(theirs)).toFixed(2)} x`;
      return {
        values: {
          initialize: minimum(times.initialize) / least,
          discover: minimum(times.discover) / least,
          bare: minimum(times.cleanServer) / minimum(times.cleanBare),
        },
        detail:
          `echo ${describeTimes(times.echo)}; initialize ${describeTimes(times.initialize)}; ` +
          `discover ${describeTimes(times.discover)}; the server adds ${ms(minimum(times.initialize) - least)}; ` +
          `in an empty environment: server ${ratio(times.cleanServer, times.cleanEcho)}, ` +
          `MCP SDK alone ${ratio(times.cleanBare, times.cleanEcho)} of an echo`,
      };
    }),
});

/** The smallest MCP server on the same SDK, bundled as published. */
async function bundleBareServer({ root }: Stage['sandbox']): Promise<string> {
  const outfile = join(root, 'bare-server.mjs');
  await build({
    stdin: { contents: BARE_SERVER, resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  return outfile;
}

async function timeToAnswer(program: string, line: string, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], {
    env,
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
