/** From spawn to the first answers in an empty environment, compared with the fastest possible Node process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { defineRow } from './row.js';
import { withStage, type Stage } from './stage.js';
import { describeTimes, interleave, median, minimum, ms } from './timing.js';

const ROUNDS = 21;
const SERVER = fileURLToPath(new URL('../../dist/claude-code-mcp.js', import.meta.url));
const SHIMS = fileURLToPath(new URL('../../src/mcp/sdk/shims.ts', import.meta.url));

const ECHO = `
process.stdin.on('data', (line) => {
  const { id } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');
});
`;

const CLIENT = { name: 'bench', version: '1.0.0' };
const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const LEGACY = [
  request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT }),
  request('tools/list', {}),
] as const;
const DISCOVERY = [request('server/discover', MODERN), request('tools/list', MODERN)] as const;
/** The server has to load for a request that it stores no answer for. */
const LOADING = [LEGACY[0], request('completion/complete', { ref: {}, argument: {} })] as const;

const BARE_SERVER = `
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.server.setRequestHandler('tools/list', () => ({ tools: [] }));
  return server;
});
`;

interface Start {
  /** From spawn to the first answer, and from there to the second, in milliseconds. */
  readonly first: number;
  readonly second: number;
  /** In MB, after the second answer and once nothing is left to do. */
  readonly memory: number;
}

export const start = defineRow({
  name: 'start',
  platform: 'linux',
  budget: {
    initialize: {
      what: 'start until the answer to initialize, compared with a Node echo',
      max: 2.4,
      unit: 'x',
    },
    discover: {
      what: 'start until the answer to server/discover, compared with a Node echo',
      max: 2.4,
      unit: 'x',
    },
    bare: {
      what: 'start until the answer to initialize, compared with the MCP SDK without AJV',
      max: 1,
      unit: 'x',
    },
    list: { what: 'tools/list after initialize', max: 5, unit: 'ms' },
    memory: { what: 'resident memory before the first session', max: 60, unit: 'MB' },
  },
  measure: () =>
    withStage(async ({ sandbox }) => {
      const echo = join(sandbox.root, 'echo.mjs');
      writeFileSync(echo, ECHO);
      const bare = await bundleBareServer(sandbox);
      const starts = {
        echo: new Array<Start>(),
        bare: new Array<Start>(),
        initialize: new Array<Start>(),
        discover: new Array<Start>(),
        loading: new Array<Start>(),
      };
      const measured = async (kind: keyof typeof starts, ...how: Parameters<typeof startOf>) => {
        const found = await startOf(...how);
        starts[kind].push(found);
        return found.first;
      };
      const cases = {
        echo: () => measured('echo', echo, LEGACY),
        bare: () => measured('bare', bare, LEGACY),
        initialize: () => measured('initialize', SERVER, LEGACY),
        discover: () => measured('discover', SERVER, DISCOVERY),
        loading: () => measured('loading', SERVER, LOADING),
      };
      // The first run of each case reads the files from disk.
      await interleave(1, cases);
      for (const found of Object.values(starts)) found.length = 0;
      const times = await interleave(ROUNDS, cases);
      const ratio = (ours: keyof typeof times, theirs: keyof typeof times): number =>
        minimum(times[ours]) / minimum(times[theirs]);
      const seconds = (kind: keyof typeof starts): number[] => starts[kind].map(({ second }) => second);
      const memories = (kind: keyof typeof starts): number[] => starts[kind].map(({ memory }) => memory);
      const middle = median(times.initialize) / median(times.echo);
      return {
        values: {
          initialize: ratio('initialize', 'echo'),
          discover: ratio('discover', 'echo'),
          bare: ratio('initialize', 'bare'),
          list: minimum(seconds('initialize')),
          memory: median([...memories('initialize'), ...memories('discover')]),
        },
        detail:
          `echo ${describeTimes(times.echo)}; MCP SDK ${describeTimes(times.bare)}, ` +
          `${ratio('bare', 'echo').toFixed(2)} x; initialize ${describeTimes(times.initialize)}, ` +
          `${middle.toFixed(2)} x by medians; discover ${describeTimes(times.discover)}; ` +
          `tools/list ${describeTimes(seconds('initialize'))}; ` +
          `a request that loads the server ${describeTimes(seconds('loading'))}, ` +
          `${median(memories('loading')).toFixed(1)} MB; ` +
          `memory of an echo ${median(memories('echo')).toFixed(1)} MB, ` +
          `of the MCP SDK ${median(memories('bare')).toFixed(1)} MB; ` +
          `the server adds ${ms(minimum(times.initialize) - minimum(times.echo))}`,
      };
    }),
});

/** The smallest MCP server on the same SDK, bundled as published, with our own replacement of its AJV validator. */
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
    alias: { '@modelcontextprotocol/server/_shims': SHIMS },
    logLevel: 'silent',
  });
  return outfile;
}

async function startOf(program: string, lines: readonly [string, string]): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const answer = async (line: string): Promise<number> => {
    child.stdin.write(line);
    for (;;) {
      const [chunk] = (await Promise.race([once(child.stdout, 'data'), exited])) as [unknown];
      if (!Buffer.isBuffer(chunk)) throw new Error(`${program} did not answer ${line.trim()}`);
      if (chunk.toString().endsWith('\n')) return performance.now();
    }
  };
  const first = await answer(lines[0]);
  const second = await answer(lines[1]);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const memory = residentMb(child.pid ?? 0);
  child.stdin.end();
  await exited;
  return { first: first - startedAt, second: second - first, memory };
}

/** Longer than any delay after which the server loads something by itself. */
const settleMs = 300;

function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

function request(method: string, params: unknown): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`;
}
