/** The time from a call that starts a session to the request to the model, compared with `claude -p`. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { text } from '../kit/model-steps.js';
import type { ServerClient } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { defineRow } from './row.js';
import { withStage, type Stage } from './stage.js';
import { describeTimes, interleave, minimum } from './timing.js';

const ROUNDS = 31;
const PROMPT = 'Say hello.';
const WAIT_MS = 40_000;

export const firstCall = defineRow({
  name: 'first-call',
  budget: {
    warm: { what: 'start of a session, compared with `claude -p`', max: 1.1, unit: 'x' },
    spare: { what: 'the same with a spare process', max: 0.45, unit: 'x' },
  },
  measure: () =>
    withStage(async (stage) => {
      stage.model.when(PROMPT, [text('Hello.')]);
      const server = await stage.connect();
      const sparing = await stage.connect({ env: { CLAUDE_CODE_MCP_SPARE: '1', LOG_LEVEL: 'debug' } });
      let spares = 0;
      const cases = {
        bare: () => startBare(stage),
        warm: () => startThrough(stage, server),
        spare: async () => {
          const elapsed = await startThrough(stage, sparing);
          spares += 1;
          await until('a spare waits', () => countOf(sparing, 'a spare process waits') === spares);
          return elapsed;
        },
        cold: async () => {
          const fresh = await stage.connect();
          await fresh.client.listTools();
          const elapsed = await startThrough(stage, fresh);
          await fresh.close();
          return elapsed;
        },
      };
      // Loads the Agent SDK, reads Claude Code from disk, and starts the first spare.
      await interleave(1, cases);
      const times = await interleave(ROUNDS, cases);
      const misfits = countOf(sparing, 'does not fit');
      if (misfits > 0) throw new Error(`${misfits} spares did not serve their sessions`);
      const floor = minimum(times.bare);
      return {
        values: { warm: minimum(times.warm) / floor, spare: minimum(times.spare) / floor },
        detail:
          `claude -p ${describeTimes(times.bare)}; warm ${describeTimes(times.warm)}; ` +
          `spare ${describeTimes(times.spare)}; right after tools/list ${describeTimes(times.cold)}`,
      };
    }),
});

/** Waits for the process to exit, because its shutdown would slow down the next one. */
async function startThrough({ model, sandbox }: Stage, server: ServerClient): Promise<number> {
  const startedAt = Date.now();
  const { json } = await server.call('claude_code', {
    prompt: PROMPT,
    cwd: sandbox.project,
    waitMs: WAIT_MS,
  });
  if (json.result?.result !== 'Hello.') throw new Error(`no result: ${JSON.stringify(json)}`);
  await server.call('claude_code_session', { action: 'cancel', sessionId: json.sessionId });
  return requestedAt(model, json.sessionId) - startedAt;
}

async function startBare({ model, sandbox }: Stage): Promise<number> {
  const id = randomUUID();
  const startedAt = Date.now();
  const claude = spawn(
    findBundledClaude() ?? 'claude',
    ['-p', PROMPT, `--session-id=${id}`, '--setting-sources=user'],
    { cwd: sandbox.project, env: sandbox.env(model), stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(claude, 'exit');
  return requestedAt(model, id) - startedAt;
}

function requestedAt(model: Stage['model'], sessionId: string): number {
  const [first] = model.requests(sessionId);
  const call = model.calls.find(({ request }) => request === first);
  if (call === undefined) throw new Error('The model was not asked');
  return call.at;
}

function countOf(server: ServerClient, words: string): number {
  return server.stderr().split(words).length - 1;
}
