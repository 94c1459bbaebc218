/** Ask, approve, finish: the calls and bytes that a caller needs if it follows only the instructions in each answer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerJson } from '../kit/answer-json.js';
import { text, tool } from '../kit/model-steps.js';
import type { ServerClient } from '../kit/server-client.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';

const WAIT_MS = 30_000;
const MOST_CALLS = 20;

export const approval = defineRow({
  name: 'approval',
  budget: {
    calls: { what: 'ask -> approve -> done', max: 3, unit: 'calls' },
    bytes: { what: 'ask -> approve -> done, bytes of result text', max: 1_200, unit: 'bytes' },
    callsWhenWaiting: { what: 'ask -> approve -> done, with waitMs on the start', max: 2, unit: 'calls' },
  },
  measure: () =>
    withStage(async ({ connect, model, sandbox }) => {
      const server = await connect();
      const run = async (file: string, start: Record<string, unknown>): Promise<Cost> => {
        const input = { command: `touch ${file}`, description: 'Make it' };
        model.when(file, [tool('Bash', input), text('Done.')]);
        const cost = await followAnswers(server, { prompt: file, cwd: sandbox.project, ...start });
        if (!existsSync(join(sandbox.project, file))) throw new Error('the allowed write did not happen');
        return cost;
      };
      const plain = await run('a.txt', {});
      const waiting = await run('b.txt', { waitMs: WAIT_MS });
      return {
        values: { calls: plain.calls, bytes: plain.bytes, callsWhenWaiting: waiting.calls },
        detail: `with waitMs on the start: ${waiting.bytes} bytes`,
      };
    }),
});

interface Cost {
  readonly calls: number;
  readonly bytes: number;
}

async function followAnswers(server: ServerClient, start: Record<string, unknown>): Promise<Cost> {
  let calls = 0;
  let bytes = 0;
  const call = async (name: string, args: Record<string, unknown>): Promise<AnswerJson> => {
    const answer = await server.call(name, args);
    if (answer.isError) throw new Error(answer.text);
    calls += 1;
    bytes += Buffer.byteLength(answer.text);
    return answer.json;
  };
  let snapshot = await call('claude_code', start);
  while (snapshot.result === undefined) {
    if (calls === MOST_CALLS) throw new Error('the session does not end');
    const requestId = snapshot.actions?.[0]?.requestId;
    snapshot =
      requestId === undefined
        ? await call('claude_code_check', { sessionId: snapshot.sessionId })
        : await call('claude_code_respond', { requestId, decision: 'allow' });
  }
  return { calls, bytes };
}
