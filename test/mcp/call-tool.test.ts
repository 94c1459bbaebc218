import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EndedCall } from '../../src/core/observability/call-observer.js';
import { systemClock } from '../../src/core/clock.js';
import { AppError } from '../../src/core/errors.js';
import type { ServerContext } from '@modelcontextprotocol/server';
import { noMeter, type Measurement } from '../../src/core/observability/measurements.js';
import { always } from '../../src/core/view.js';
import { FairTurns } from '../../src/http/auth/fair-turns.js';
import { CallStates } from '../../src/mcp/call-state.js';
import { plainCaller } from '../kit/callers.js';
import { blindRedactor } from '../kit/redactors.js';
import { createCallMeter } from '../../src/observability/audit/log-audit.js';
import { callTool } from '../../src/mcp/call-tool.js';
import { maxResultChars, type ToolAnswer } from '../../src/mcp/render.js';
import { carriedChars } from '../kit/view-text.js';
import type { SessionManager } from '../../src/sessions/session-manager.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { defineTool, type ToolDependencies } from '../../src/toolsets/shared/define-tool.js';

/** A request that carries nothing but its arguments. */
const context = {
  mcpReq: { signal: new AbortController().signal, requestState: () => undefined },
} as unknown as ServerContext;

function createCall(see: (input: { word?: string | undefined }) => Promise<object>) {
  const logged: unknown[] = [];
  const ended: EndedCall[] = [];
  const measured: Measurement[] = [];
  const plain = defineTool({
    name: 'look',
    title: 'Look',
    description: 'Looks.',
    effect: 'read',
    input: z.strictObject({ word: z.string().optional() }),
    output: () => z.looseObject({}),
    normalize: ({ old, ...rest }) => (old === undefined ? rest : { word: old, ...rest }),
    handle: async (input) => ({ view: always(await see(input)) }),
  });
  const tool = { ...plain, vocabulary: asyncVocabulary };
  const deps = {
    loadDependencies: async (): Promise<ToolDependencies> => ({
      sessions: { saved: async () => true } as SessionManager,
      maxWaitMs: 0,
    }),
    logger: { log: (...line: unknown[]) => void logged.push(line) },
    ids: { uuid: () => 'unused', short: () => 'incident-1' },
    states: new CallStates(() => 'c1'),
    redactor: blindRedactor,
    isStructured: false,
    clock: systemClock,
    observers: [
      { onCallEnded: (call: EndedCall) => void ended.push(call) },
      createCallMeter({ ...noMeter, measure: (one) => void measured.push(one) }),
    ],
  };
  return {
    call: (args: unknown) => callTool({ tool, args, context, caller: plainCaller, era: 'modern' }, deps),
    deps,
    tool,
    logged,
    ended,
    measured,
  };
}

const fails = (error: unknown) =>
  createCall(async () => {
    throw error;
  });

describe('a call', () => {
  it('fails with a text that a client can carry, even if it quotes characters that need escaping', async () => {
    const { content } = (await fails(
      new AppError('arguments_invalid', { problems: ['\u0001"\n'.repeat(5_000)] }),
    ).call({})) as ToolAnswer;

    expect(carriedChars(content[0]?.text ?? '')).toBeLessThanOrEqual(maxResultChars);
  });

  it('is measured by how it ended: well, with a code, or with one for whatever was unexpected', async () => {
    const good = createCall(async () => ({ word: 'fine' }));
    const refused = fails(new AppError('queue_full', { limit: 10 }));
    const broken = fails(new Error('boom'));

    await good.call({});
    await good.call({ unknown: 1 });
    await refused.call({});
    await broken.call({});

    const ended = { what: 'call_ended', tool: 'look', ms: expect.any(Number) };
    expect([...good.measured, ...refused.measured, ...broken.measured]).toEqual([
      { ...ended, outcome: 'ok' },
      { ...ended, outcome: 'INVALID_ARGUMENT' },
      { ...ended, outcome: 'SESSION_BUSY' },
      { ...ended, outcome: 'INTERNAL' },
    ]);
  });

  it('answers with the JSON of what the tool shows', async () => {
    const { call, logged } = createCall(async ({ word }) => ({ saw: word ?? 'nothing' }));

    expect(await call({ word: 'x', wait_for_previous: true })).toEqual({
      content: [{ type: 'text', text: '{"saw":"x"}' }],
    });
    expect(logged).toEqual([]);
  });

  it('drops null before it checks, and moves old names', async () => {
    const { call } = createCall(async ({ word }) => ({ saw: word ?? 'nothing' }));

    expect(await call({ word: null, old: 'y' })).toEqual({
      content: [{ type: 'text', text: '{"saw":"y"}' }],
    });
  });

  it('needs no arguments object', async () => {
    const { call } = createCall(async ({ word }) => ({ saw: word ?? 'nothing' }));

    expect(await call(undefined)).toEqual({ content: [{ type: 'text', text: '{"saw":"nothing"}' }] });
  });
});

describe('what is told of a call when it is over', () => {
  const id = '0af76519-16cd-43dd-8448-eb211c80319c';

  it('is its tool, its end, its time and whom it was about', async () => {
    const { call, ended } = createCall(async () => ({ word: 'fine' }));

    await call({});

    expect(ended).toEqual([
      {
        tool: 'look',
        isRead: true,
        code: 'ok',
        durationMs: expect.any(Number),
        clientId: 'c1',
      },
    ]);
  });

  it('names what arguments name, and repeats nothing else of them', async () => {
    const { call, ended } = createCall(async () => ({ word: 'fine' }));

    await call({ sessionId: id.toUpperCase(), action: 'poll', decision: 'a secret?', word: 'x' });

    expect(ended).toMatchObject([{ sessionId: id, action: 'poll', code: 'INVALID_ARGUMENT' }]);
    expect(JSON.stringify(ended)).not.toContain('secret');
  });

  it('is the code and the words of an error', async () => {
    const { call, ended } = fails(new AppError('listing_refused'));

    await call({});

    expect(ended).toMatchObject([
      { code: 'PERMISSION_DENIED', reason: 'this server does not list sessions on disk' },
    ]);
  });
});

it('whose request was cancelled is told as cancelled, whatever it came to', async () => {
  const { tool, deps, ended } = createCall(async () => ({ word: 'fine' }));
  const cancelled = { mcpReq: { ...context.mcpReq, signal: AbortSignal.abort() } } as ServerContext;

  await callTool({ tool, args: {}, context: cancelled, caller: plainCaller, era: 'modern' }, deps);

  expect(ended).toMatchObject([{ code: 'CANCELLED' }]);
});

describe('an error', () => {
  it('of ours is told as it is', async () => {
    const { call, logged } = fails(new AppError('queue_full', { limit: 10 }));

    expect(await call({})).toEqual({
      content: [
        {
          type: 'text',
          text: 'Error [SESSION_BUSY]: 10 prompts are already queued. Wait with claude_code_check until some have run.',
        },
      ],
      isError: true,
    });
    expect(logged).toEqual([]);
  });

  it('in the arguments says what to change', async () => {
    const { call } = createCall(async () => ({ word: 'never' }));

    expect(await call({ wrod: 'x' })).toEqual({
      content: [
        {
          type: 'text',
          text: 'Error [INVALID_ARGUMENT]: unknown key "wrod": did you mean word? Correct the arguments and call again.',
        },
      ],
      isError: true,
    });
  });

  it.each([
    ['an error', new Error('secret sk-ant-123')],
    ['a text', 'secret sk-ant-123'],
    ['nothing', undefined],
  ])('nobody expected, %s, tells nothing of itself', async (_, thrown) => {
    const { call } = fails(thrown);

    expect(await call({})).toEqual({
      content: [
        {
          type: 'text',
          text:
            'Error [INTERNAL]: the server failed unexpectedly (incident incident-1). ' +
            'Try again. If it fails again, report the incident id to the operator.',
        },
      ],
      isError: true,
    });
  });

  it('nobody expected is in the log, with the same incident', async () => {
    const error = new Error('disk full');
    const { call, logged } = fails(error);

    await call({});

    expect(logged).toEqual([
      ['error', 'a tool call failed', { incident: 'incident-1', tool: 'look', reason: error.stack }],
    ]);
  });

  it('while the session layer is loaded is caught as well', async () => {
    const { deps, tool, logged } = createCall(async () => ({ word: 'never' }));
    const loadDependencies = () => Promise.reject(new Error('no such module'));

    const answer = await callTool(
      { tool, args: {}, context, caller: plainCaller, era: 'modern' },
      { ...deps, loadDependencies },
    );

    expect(answer.isError).toBe(true);
    expect(logged).toHaveLength(1);
  });
});

describe('a structured answer', () => {
  it('carries the object that its text is', async () => {
    const { tool, deps } = createCall(async () => ({ word: 'x', other: undefined }));

    const answer = await callTool(
      { tool, args: {}, context, caller: plainCaller, era: 'modern' },
      { ...deps, isStructured: true },
    );

    expect(answer).toEqual({
      content: [{ type: 'text', text: '{"word":"x"}' }],
      structuredContent: { word: 'x' },
    });
  });

  it('is no error', async () => {
    const { tool, deps } = fails(new AppError('queue_full', { limit: 10 }));

    const answer = await callTool(
      { tool, args: {}, context, caller: plainCaller, era: 'modern' },
      { ...deps, isStructured: true },
    );

    expect(answer).not.toHaveProperty('structuredContent');
    expect(answer.isError).toBe(true);
  });
});

it('calls that end together are answered one at a time, so that others are served in between', async () => {
  let end: () => void = () => undefined;
  const news = new Promise<void>((resolve) => (end = resolve));
  const { deps, tool } = createCall(async () => ({}));
  let made = 0;
  const waiting = {
    ...tool,
    parse: () => async () => {
      await news;
      return { view: () => ({ made: (made += 1) }) };
    },
  };
  const turns = new FairTurns();
  const inTurn = { ...deps, nextTurn: () => turns.next('alice') };
  const call = () =>
    callTool({ tool: waiting, args: {}, context, caller: plainCaller, era: 'modern' }, inTurn);
  const calls = Promise.all([call(), call(), call()]);
  await immediate();

  end();
  const counts: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    await immediate();
    counts.push(made);
  }
  await calls;

  expect(counts).toEqual([1, 2, 3]);
});
