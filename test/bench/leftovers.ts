/** Counts the processes that are alive three seconds after the client disconnects in the middle of its work. */
import { setTimeout as pause } from 'node:timers/promises';
import { streamThenHang, tool } from '../kit/model-steps.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { ms } from './timing.js';

const GRACE_MS = 3_000;
const WAIT_MS = 30_000;
const COMMAND_LIMIT_MS = 10_000;

export const leftovers = defineRow({
  name: 'leftovers',
  // Other systems cannot show which processes belong to a sandbox.
  platform: 'linux',
  budget: { processes: { what: 'processes alive 3 s after the end of input', max: 0, unit: 'processes' } },
  measure: () =>
    withStage(async ({ connect, model, sandbox }) => {
      model.when('stream', [streamThenHang('I have only begun')]);
      // Claude Code refuses a bare `sleep`.
      model.when('work', [tool('Bash', { command: 'env sleep 300' })]);
      model.when('ask', [tool('Bash', { command: 'touch never.txt' })]);
      const server = await connect();
      const isSleeping = (): boolean => sandbox.processes().some(({ command }) => command === 'sleep 300');

      const start = (prompt: string, options: Record<string, unknown> = {}) =>
        server.call('claude_code', { prompt, cwd: sandbox.project, ...options });
      await start('stream');
      await start('work', { allowedTools: ['Bash'] });
      const asking = await start('ask', { waitMs: WAIT_MS });
      if (asking.json.status !== 'waiting') throw new Error(`no permission is open: ${asking.text}`);
      const deadline = Date.now() + COMMAND_LIMIT_MS;
      while (!isSleeping() && Date.now() < deadline) await pause(20);
      if (!isSleeping()) throw new Error('the command did not start');

      const before = sandbox.processes().length;
      const endedAt = performance.now();
      server.endInput();
      const exit = server.exited.then(({ code }) => `exit ${code} after ${ms(performance.now() - endedAt)}`);
      await pause(GRACE_MS);
      const left = sandbox.processes();
      const outcome = await Promise.race([exit, Promise.resolve('the server has not exited')]);
      return {
        values: { processes: left.length },
        detail: [
          `${before} before (a turn streaming, a command running, a permission open)`,
          outcome,
          ...left.map(({ pid, command }) => `left: ${pid} ${command}`),
        ].join('; '),
      };
    }),
});
