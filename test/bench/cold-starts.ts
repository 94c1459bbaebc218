/** Sixteen sessions at once, each with a Claude Code of its own, compared with `claude -p`, two at a time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { fewAtOnce } from '../../src/core/few-at-once.js';
import { text } from '../kit/model-steps.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { describeTimes, interleave, minimum, timed } from './timing.js';

const ROUNDS = 3;
const STARTS = 16;
const BARE_AT_ONCE = 2;
const PROMPT = 'Say hello.';
const WAIT_MS = 45_000;

const run = promisify(execFile);

export const coldStarts = defineRow({
  name: 'cold-starts',
  budget: {
    ratio: {
      what: `${STARTS} cold starts at once, compared with claude -p two at a time`,
      max: 1.2,
      unit: 'x',
    },
  },
  measure: () =>
    withStage(async ({ connect, model, sandbox }) => {
      const claude = findBundledClaude();
      if (claude === undefined) throw new Error('the Claude Code of the Agent SDK is not installed');
      model.when(PROMPT, [text('Hello.')]);
      const env = { CLAUDE_CODE_MCP_MAX_SESSIONS: String(STARTS), CLAUDE_CODE_PATH: claude };
      const server = await connect({ env });
      const { project: cwd } = sandbox;
      const all = Array.from({ length: STARTS }, (_, index) => index);

      const throughServer = async (): Promise<number> => {
        const ids: string[] = [];
        const elapsed = await timed(() =>
          fewAtOnce(all, STARTS, async () => {
            const { json } = await server.call('claude_code', { prompt: PROMPT, cwd, waitMs: WAIT_MS });
            if (json.result?.result !== 'Hello.') throw new Error(`no result: ${JSON.stringify(json)}`);
            ids.push(json.sessionId);
          }),
        );
        // Their end would slow down what is measured next.
        await Promise.all(
          ids.map((sessionId) => server.call('claude_code_session', { action: 'cancel', sessionId })),
        );
        return elapsed;
      };
      const bare = (): Promise<number> =>
        timed(() =>
          fewAtOnce(all, BARE_AT_ONCE, async () => {
            const running = run(claude, ['-p', PROMPT], { cwd, env: sandbox.env(model) });
            running.child.stdin?.end();
            const { stdout } = await running;
            if (stdout.trim() !== 'Hello.') throw new Error(`no result: ${stdout}`);
          }),
        );

      const times = await interleave(ROUNDS, { server: throughServer, bare });
      return {
        values: { ratio: minimum(times.server) / minimum(times.bare) },
        detail: `server ${describeTimes(times.server)}; claude -p ${describeTimes(times.bare)}`,
      };
    }),
});
