/** The time from a prompt to its result: a new session through the server, compared with the Agent SDK alone. */
import { startBareSession } from '../kit/bare-session.js';
import { text } from '../kit/model-steps.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { describeTimes, interleave, minimum, ms, timed } from './timing.js';

const ROUNDS = 21;
const PROMPT = 'Say hello.';
const WAIT_MS = 40_000;

export const sessionTime = defineRow({
  name: 'session-time',
  budget: { ratio: { what: 'a session, compared with the bare SDK', max: 1.05, unit: 'x' } },
  measure: () =>
    withStage(async ({ connect, model, sandbox }) => {
      model.when(PROMPT, [text('Hello.')]);
      const server = await connect();
      const { project: cwd } = sandbox;

      // Waits for each process to exit, because its shutdown would slow down the next one.
      const throughServer = async (): Promise<number> => {
        let sessionId = '';
        const elapsed = await timed(async () => {
          const { json } = await server.call('claude_code', { prompt: PROMPT, cwd, waitMs: WAIT_MS });
          if (json.result?.result !== 'Hello.') throw new Error(`no result: ${JSON.stringify(json)}`);
          ({ sessionId } = json);
        });
        await server.call('claude_code_session', { action: 'cancel', sessionId });
        return elapsed;
      };
      const bare = async (): Promise<number> => {
        const startedAt = performance.now();
        // Passes the same options as the server, so that only the path to Claude Code differs.
        const session = startBareSession({
          cwd,
          env: sandbox.env(model),
          systemPrompt: { type: 'preset', preset: 'claude_code' },
          settingSources: ['user'],
        });
        await session.turn(PROMPT);
        const elapsed = performance.now() - startedAt;
        session.end();
        await session.ended;
        return elapsed;
      };

      const cases = { server: throughServer, bare };
      // Loads the Agent SDK in the server and Claude Code from disk.
      await interleave(1, cases);
      const times = await interleave(ROUNDS, cases);
      return {
        values: { ratio: minimum(times.server) / minimum(times.bare) },
        detail:
          `server ${describeTimes(times.server)}; bare ${describeTimes(times.bare)}; ` +
          `difference of the minima ${ms(minimum(times.server) - minimum(times.bare))}`,
      };
    }),
});
