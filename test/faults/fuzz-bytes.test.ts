/** Lines of any kind, over a pipe to the built server: each request is answered exactly once, and the server lives. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../kit/sandbox.js';
import { until } from '../kit/until.js';
import { fuzz, leakedWords, printed } from './fuzz-amount.js';
import { expectedIds, idOfDamaged } from './fuzz-expected.js';
import { lineOf } from './fuzz-lines.js';
import { serverEntry } from '../kit/server-entry.js';

const perRound = 500;

const openings = {
  legacy: {
    jsonrpc: '2.0',
    id: 'open',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
  },
  modern: {
    jsonrpc: '2.0',
    id: 'open',
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
} as const;

type Answer = {
  readonly id?: string | number;
  readonly method?: string;
  readonly error?: { message: string };
};

function startServer() {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const child = spawn(process.execPath, [serverEntry], {
    cwd: sandbox.project,
    env: sandbox.env(),
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  let rest = '';
  const answers: Answer[] = [];
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) answers.push(JSON.parse(line) as Answer);
  });
  const exited = once(child, 'exit');
  return {
    send: async (bytes: Buffer): Promise<void> => {
      if (!child.stdin.write(bytes)) await once(child.stdin, 'drain');
    },
    /** The answers so far, which are then forgotten. */
    take: () => answers.splice(0),
    has: (id: string) => answers.some((answer) => answer.id === id),
    end: async (): Promise<unknown> => {
      child.stdin.end();
      return (await exited)[0];
    },
    stderr: () => stderr,
  };
}

const countOf = (ids: readonly unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const id of ids) counts[String(id)] = (counts[String(id)] ?? 0) + 1;
  return counts;
};

const newline = Buffer.from('\n');

describe('lines of any kind', () => {
  it.each(['legacy', 'modern'] as const)(
    'leave the server alive, and each request is answered once, %s era',
    async (era) => {
      const server = startServer();
      await server.send(Buffer.from(`${JSON.stringify(openings[era])}\n`));
      await until('the server answers', () => server.has('open'));
      server.take();
      const lines = Math.ceil(fuzz.lines / 2);
      const counts = { lines: 0, bytes: 0, answers: 0, refused: 0 };

      for (let round = 0; round * perRound < lines; round += 1) {
        const ids = Array.from(
          { length: Math.min(perRound, lines - round * perRound) },
          (_, i) => `${round}-${i}`,
        );
        const sent = ids.flatMap((id, i) =>
          fc.sample(lineOf(id), {
            seed: fuzz.seed + (era === 'modern' ? lines : 0) + round * perRound + i,
            numRuns: 1,
          }),
        );
        await server.send(Buffer.concat(sent.flatMap((line) => [line, newline])));
        await server.send(Buffer.from(`{"jsonrpc":"2.0","id":"end-${round}","method":"tools/list"}\n`));
        const expected = [...sent.flatMap(expectedIds), `end-${round}`];
        let answers: Answer[] = [];
        await until('all lines are answered', () => {
          answers = [...answers, ...server.take()];
          return answers.filter(({ method }) => method === undefined).length >= expected.length;
        }).catch(() => undefined);

        const replies = answers.filter(({ method }) => method === undefined);
        const damaged = new Set<unknown>(sent.flatMap(idOfDamaged));
        const answered = replies.map(({ id }) => (damaged.has(id) ? undefined : id));
        expect(countOf(answered)).toEqual(countOf(expected));
        expect(replies.filter(({ error }) => leakedWords.test(error?.message ?? ''))).toEqual([]);
        counts.lines += sent.length;
        counts.bytes += sent.reduce((sum, line) => sum + line.length, 0);
        counts.answers += replies.length;
        counts.refused += replies.filter(({ error }) => error !== undefined).length;
      }
      const code = await server.end();

      printed(`bytes, ${era} era`, counts);
      expect(code).toBe(0);
      expect(server.stderr()).not.toMatch(/uncaught|unhandled/);
    },
    600_000,
  );
});
