/** What callers may read of a session that someone else started, and that this server may have continued. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess } from '../kit/in-process.js';
import { say, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

const tools = { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions,query' };

/** A session of another program is one without a record. */
async function foreign(env: Record<string, string> = {}) {
  const before = await startInProcess({ era: 'modern', env: tools });
  before.model.when('secretly', [text('Not yours.')]);
  const cwd = before.sandbox.project;
  const { json } = await before.server.call('claude_code', { prompt: 'secretly', cwd, waitMs: 20_000 });
  const { sessionId } = json;
  await before.server.close();
  rmSync(join(before.sandbox.stateDir, 'sessions', `${sessionId}.jsonl`));
  return { ...(await restartInProcess(before, { era: 'modern', env: { ...tools, ...env } })), sessionId };
}

describe('a session that someone else started', () => {
  it('has a result that callers may not read, so none of them is told to wait for one', async () => {
    const { server, sessionId } = await foreign();

    const refusals = await Promise.all([
      server.call('claude_get_status', { sessionId, resultOffset: 0 }),
      server.call('claude_code_check', { sessionId, resultOffset: 0 }),
      server.call('claude_code_query', { sessionId }),
    ]);

    for (const { text: refusal } of refusals)
      expect(refusal).toMatch(/^Error \[PERMISSION_DENIED\]: .* CLAUDE_CODE_MCP_HISTORY=read\.$/);
  });

  it.each(['off', 'list', 'resume', 'read'])(
    'is told apart from one that does not exist by every call in the same way: HISTORY=%s',
    async (history) => {
      const { server } = await foreign({ CLAUDE_CODE_MCP_HISTORY: history });
      const sessionId = '00000000-0000-4000-8000-000000000001';

      const answers = await Promise.all([
        server.call('claude_code_session', { action: 'transcript', sessionId }),
        server.call('claude_code_session', { action: 'transcript', sessionId, messageId: sessionId }),
        server.call('claude_code_session', { action: 'get', sessionId }),
        server.call('claude_code_query', { sessionId, messageOffset: 0 }),
        server.call('claude_get_status', { sessionId, outputOffset: 0 }),
      ]);

      for (const { text: answer } of answers) expect(answer).toMatch(/^Error \[SESSION_NOT_FOUND\]/);
    },
  );

  it('is unknown to every call if its folder lies outside the roots', async () => {
    const { server, sessionId } = await foreign({
      CLAUDE_CODE_MCP_HISTORY: 'read',
      CLAUDE_CODE_MCP_ROOTS: '/usr',
    });

    const answers = await Promise.all([
      server.call('claude_code_session', { action: 'transcript', sessionId }),
      server.call('claude_code_session', { action: 'get', sessionId }),
      server.call('claude_code_query', { sessionId, messageOffset: 0 }),
    ]);

    for (const { text: answer } of answers) expect(answer).toMatch(/^Error \[SESSION_NOT_FOUND\]/);
  });

  it('is read from here on if this server continues it, by the call that its status names', async () => {
    const { server, model, sessionId } = await foreign();
    const long = 'x'.repeat(15_000);
    model.when('go on', [say(long, tool('Glob', { pattern: '*.none' })), text('Mine.')]);

    await server.call('claude_send_message', { sessionId, message: 'go on' });
    const { readMoreOutput } = await until('it has answered', async () => {
      const { json } = await server.call('claude_get_status', { sessionId });
      const status = json as unknown as { readonly status: string; readonly readMoreOutput: string };
      return status.status === 'completed' && status;
    });
    const [, name = '', args = ''] = /^(\w+) (\{.*\})$/.exec(readMoreOutput) ?? [];
    let output = '';
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const { json } = await server.call(name, { ...(JSON.parse(args) as object), outputOffset: offset });
      const page = json as unknown as { readonly text: string; readonly nextOffset?: number };
      output += page.text;
      offset = page.nextOffset;
    }

    expect(output).toBe(`${long}\nMine.`);
  });
});
