import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../src/core/clock.js';
import { CallStates } from '../../../src/mcp/call-state.js';
import { callTool } from '../../../src/mcp/call-tool.js';
import type { ToolAnswer } from '../../../src/mcp/render.js';
import type { SessionManager } from '../../../src/sessions/session-manager.js';
import { asyncVocabulary } from '../../../src/toolsets/async/wording/vocabulary.js';
import { defineTool } from '../../../src/toolsets/shared/define-tool.js';
import { plainCaller } from '../../kit/callers.js';
import { blindRedactor } from '../../kit/redactors.js';

/** Shows the longest wait, and as many characters as fit. */
const tool = {
  ...defineTool({
    name: 'look',
    title: 'Look',
    description: 'Looks.',
    effect: 'read',
    input: z.strictObject({}),
    output: () => z.looseObject({}),
    handle: async (_input, { maxWaitMs }) => ({
      view: (fits) => {
        let chars = 0;
        const shown = (more: number) => ({ maxWaitMs, text: 'x'.repeat(chars + more) });
        while (fits(shown(1_000))) chars += 1_000;
        return shown(0);
      },
    }),
  }),
  vocabulary: asyncVocabulary,
};

async function limitsFor(client: string, progressToken?: number, maxWaitMs?: number): Promise<unknown> {
  const mcpReq = {
    signal: new AbortController().signal,
    requestState: () => undefined,
    _meta: { progressToken },
  };
  const answer = await callTool(
    {
      tool,
      args: {},
      context: { mcpReq } as unknown as ServerContext,
      caller: { ...plainCaller, client },
      era: 'modern',
    },
    {
      loadDependencies: async () => ({
        sessions: { saved: async () => undefined } as unknown as SessionManager,
        maxWaitMs,
      }),
      logger: { log: () => undefined },
      ids: { uuid: () => 'unused', short: () => 'unused' },
      states: new CallStates(() => 'c1'),
      redactor: blindRedactor,
      isStructured: false,
      clock: systemClock,
      observers: [],
    },
  );
  const { maxWaitMs: waitMs, text } = JSON.parse((answer as ToolAnswer).content[0]?.text ?? '') as {
    maxWaitMs: number;
    text: string;
  };
  return { waitMs, chars: text.length };
}

it('waits and answers as the client allows, or as the operator says', async () => {
  expect({
    unknown: await limitsFor('home-made 1.0.0', 1),
    silent: await limitsFor('claude-code 2.1.325'),
    progress: await limitsFor('claude-code 2.1.325', 1),
    codex: await limitsFor('codex-mcp-client 0.166.0', 1),
    operator: await limitsFor('home-made 1.0.0', undefined, 300_000),
  }).toEqual({
    unknown: { waitMs: 45_000, chars: 7_000 },
    silent: { waitMs: 45_000, chars: 19_000 },
    progress: { waitMs: 285_000, chars: 19_000 },
    codex: { waitMs: 285_000, chars: 8_000 },
    operator: { waitMs: 300_000, chars: 7_000 },
  });
});
