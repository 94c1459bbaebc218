import type { ServerContext } from '@modelcontextprotocol/server';
import { systemClock } from '../../src/core/clock.js';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/core/errors.js';
import type { ToolContext, ToolOutcome } from '../../src/core/tool-context.js';
import { always } from '../../src/core/view.js';
import { CallStates } from '../../src/mcp/call-state.js';
import { callTool } from '../../src/mcp/call-tool.js';
import type { SessionManager } from '../../src/sessions/session-manager.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { defineTool } from '../../src/toolsets/shared/define-tool.js';
import { plainCaller } from '../kit/callers.js';
import { redactorOf } from '../kit/redactors.js';

const secret = 'PLANTED-4f5e6d7c8b9a';

/** What a call of a tool that does this sends to its client: notifications first. */
async function sentBy(act: (context: ToolContext) => Promise<ToolOutcome>): Promise<unknown[]> {
  const sent: unknown[] = [];
  const mcpReq = {
    signal: new AbortController().signal,
    requestState: () => undefined,
    _meta: { progressToken: 1 },
    notify: async (notification: unknown) => void sent.push(notification),
  };
  const plain = defineTool({
    name: 'look',
    title: 'Look',
    description: 'Looks.',
    effect: 'read',
    input: z.strictObject({}),
    output: () => z.looseObject({}),
    handle: async () => ({ view: always({}) }),
  });
  const answer = await callTool(
    {
      tool: { ...plain, vocabulary: asyncVocabulary, parse: () => (_deps, context) => act(context) },
      args: {},
      context: { mcpReq } as unknown as ServerContext,
      caller: { ...plainCaller, canAskPerson: true },
      era: 'modern',
    },
    {
      loadDependencies: async () => ({
        sessions: { saved: async () => true } as SessionManager,
        maxWaitMs: 0,
      }),
      logger: { log: () => undefined },
      ids: { uuid: () => 'unused', short: () => 'incident' },
      states: new CallStates(() => 'c1'),
      redactor: redactorOf(secret),
      isStructured: false,
      clock: systemClock,
      observers: [],
    },
  );
  return [...sent, answer];
}

it('no answer and no progress carries a secret, and the answer is still JSON', async () => {
  const sent = await sentBy(async ({ progress }) => {
    await progress?.(`doing ${secret}`);
    return { view: always({ a: `x ${secret}` }) };
  });

  expect(sent).toEqual([
    {
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 1, message: 'doing [redacted]' },
    },
    { content: [{ type: 'text', text: '{"a":"x [redacted]"}' }] },
  ]);
});

it('no error carries one, nor a piece of it where the text is cut', async () => {
  const sent = await sentBy(async () => {
    throw new AppError('claude_not_started', { problem: secret.repeat(500), stderrTail: '' });
  });

  expect(JSON.stringify(sent)).toContain('[redacted]');
  expect(JSON.stringify(sent)).not.toMatch(/PLAN|9a/);
});
