import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability } from '../kit/person.js';
import { answerOf, formOf, personThinks, retryWith, type ToolCall } from '../kit/rounds.js';
import { connectServer } from '../kit/server-client.js';

const allow = accept({ decision: 'allow' });
const hint =
  'Call claude_code_session with action "list" to find the session, then continue with claude_code_check.';
const notOurs = `Error [INVALID_ARGUMENT]: this requestState has expired, or this server did not issue it. ${hint}`;

describe('a call that comes back with the answer of a person', () => {
  it('is refused by another server process, goes on with the session it started, and starts no other', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern', capabilities: formCapability });
    model.when('append', [tool('Bash', { command: 'echo one >> a.txt' }), text('Done.')]);
    const other = await connectServer({ sandbox, model, era: 'modern', capabilities: formCapability });
    onTestFinished(() => other.close());
    const args = { prompt: 'append', cwd: sandbox.project, waitMs: 20_000 };
    const call: ToolCall = { name: 'claude_code', args };
    const { state } = await formOf(server, call);
    await personThinks(server);

    const refused = await answerOf(other, call, retryWith(state, allow));
    const done = await answerOf(server, call, retryWith(state, allow));
    const list = await server.call('claude_code_session', { action: 'list' });

    expect([refused.isError, refused.text]).toEqual([true, notOurs]);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.', turn: 1 } });
    expect(readFileSync(join(sandbox.project, 'a.txt'), 'utf8')).toBe('one\n');
    expect(list.json.sessions).toHaveLength(1);
    expect(new Set(model.requests().map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(model.requests().map(({ promptText, occurrence }) => [promptText, occurrence])).toEqual([
      ['append', 1],
      ['append', 1],
    ]);
  });
});
