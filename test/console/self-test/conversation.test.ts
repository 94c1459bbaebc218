import { expect, it } from 'vitest';
import { runSession, type Peer } from '../../../src/console/self-test/conversation.js';
import type { JsonObject } from '../../../src/core/json.js';

const command = 'echo hello > proof.txt';
const place = { cwd: '/project', commands: ['other', command] };
const asking = { status: 'waiting', sessionId: 's', actions: [{ requestId: 'r', input: { command } }] };
const done = { status: 'idle', sessionId: 's', result: { result: 'ok' } };

/** A server that answers calls of tools with these, one after the other. */
function server(...answers: readonly (JsonObject | string)[]): { peer: Peer; calls: JsonObject[] } {
  const left = [...answers];
  const messages: JsonObject[] = [];
  const calls: JsonObject[] = [];
  const peer: Peer = {
    send({ id, method, params }) {
      if (method === 'initialize') messages.push({ method: 'notifications/message' }, { id, result: {} });
      if (method !== 'tools/call') return;
      calls.push(params as JsonObject);
      const answer = left.shift();
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      messages.push({
        id,
        result: { content: [{ type: 'text', text }], isError: typeof answer === 'string' },
      });
    },
    async receive() {
      const message = messages.shift();
      if (message === undefined) throw new Error('the server ended');
      return message;
    },
  };
  return { peer, calls };
}

it('starts a session, approves its command and waits for its end', async () => {
  const running = { status: 'running', sessionId: 's', cursor: 3 };
  const { peer, calls } = server(running, asking, running, done);

  await runSession(peer, place);

  expect(calls).toEqual([
    { name: 'claude_code', arguments: { prompt: 'Run the self-test.', cwd: '/project', waitMs: 20_000 } },
    { name: 'claude_code_check', arguments: { sessionId: 's', cursor: 3, waitMs: 20_000 } },
    { name: 'claude_code_respond', arguments: { requestId: 'r', decision: 'allow', waitMs: 20_000 } },
    { name: 'claude_code_check', arguments: { sessionId: 's', cursor: 3, waitMs: 20_000 } },
  ]);
});

it.each<[string, readonly (JsonObject | string)[], RegExp]>([
  ['the start fails', ['Error [UNAVAILABLE]: no.'], /^Error \[UNAVAILABLE\]: no\.$/],
  [
    'the turn fails',
    [{ status: 'error', result: { result: 'Overloaded.', nextStep: 'Wait.' } }],
    /^the turn failed: Overloaded\. Wait\.$/,
  ],
  ['nothing is asked', [done], /without asking/],
  [
    'another command is asked for',
    [{ ...asking, actions: [{ requestId: 'r', input: { command: 'rm -rf /' } }] }],
    /another command/,
  ],
])('fails if %s', async (_name, answers, problem) => {
  await expect(runSession(server(...answers).peer, place)).rejects.toThrow(problem);
});
