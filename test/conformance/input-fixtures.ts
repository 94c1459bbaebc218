/** Tools that ask for input by their results, as servers do since 2026. */
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { text } from './text-result.js';
import type { FixtureTools } from './fixture-tools.js';

type Result = ReturnType<typeof text> | InputRequiredResult;

const codec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32), ttlSeconds: 60 });

const requests = {
  user_name: inputRequired.elicit({
    message: 'What is your name?',
    requestedSchema: z.object({ name: z.string() }),
  }),
  confirm: inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: z.object({ ok: z.boolean() }),
  }),
  step1: inputRequired.elicit({
    message: 'Step 1: What is your name?',
    requestedSchema: z.object({ name: z.string() }),
  }),
  step2: inputRequired.elicit({
    message: 'Step 2: What is your favorite color?',
    requestedSchema: z.object({ color: z.string() }),
  }),
  capital_question: sampling('What is the capital of France?', 100),
  greeting: sampling('Generate a greeting', 50),
  client_roots: inputRequired.listRoots(),
} as const;

type Key = keyof typeof requests;

function sampling(words: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  });
}

export function addInputFixtures(tools: FixtureTools): void {
  const add = (name: string, answer: (context: ServerContext) => Promise<Result> | Result): void => {
    tools.registerTool(
      `test_input_required_result_${name}`,
      { description: 'For the conformance suite.', inputSchema: z.object({}) },
      (_args, context) => answer(context),
    );
  };
  add('elicitation', (context) => {
    const [reply] = repliesOf(context, ['user_name']);
    return reply === undefined ? ask(['user_name']) : text(`Hello, ${nameIn(reply)}!`);
  });
  add('sampling', (context) => oneRound(context, ['capital_question']));
  add('list_roots', (context) => oneRound(context, ['client_roots']));
  add('request_state', (context) => withState(context, ['confirm'], 'state-ok'));
  add('tampered_state', async (context) => {
    await stateOf(context);
    return withState(context, ['confirm'], 'state-ok');
  });
  add('multiple_inputs', (context) =>
    withState(context, ['user_name', 'greeting', 'client_roots'], 'all-ok'),
  );
  // The client declares one of these capabilities only, and must be asked for nothing else.
  add('capabilities', ({ mcpReq }) => {
    const envelope = JSON.stringify(mcpReq.envelope ?? {});
    return ask([
      ...(envelope.includes('"elicitation"') ? (['user_name'] as const) : []),
      ...(envelope.includes('"sampling"') ? (['greeting'] as const) : []),
    ]);
  });
  add('multi_round', async (context) => {
    const { round } = (await stateOf(context)) ?? { round: 0 };
    const asked = (['step1', 'step2'] as const)[Math.max(0, round - 1)] ?? 'step1';
    const isAnswered = repliesOf(context, [asked]).length === 1;
    if (round === 2 && isAnswered) return text('Both steps are done.');
    const next = round === 1 && isAnswered ? 2 : Math.max(1, round);
    return ask([next === 2 ? 'step2' : 'step1'], await codec.mint({ round: next }, context));
  });
}

function ask(keys: readonly Key[], requestState?: string): InputRequiredResult {
  const inputRequests = Object.fromEntries(keys.map((key) => [key, requests[key]]));
  return inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });
}

/** The replies to these requests; empty unless all of them are there. */
function repliesOf({ mcpReq }: ServerContext, keys: readonly Key[]): readonly object[] {
  const replies = keys.map((key) => inputResponse(mcpReq.inputResponses, key));
  return replies.every(({ kind }) => kind !== 'missing') ? replies : [];
}

function nameIn(reply: object): string {
  const content = 'content' in reply ? reply.content : undefined;
  return String((content as { name?: unknown } | undefined)?.name);
}

function oneRound(context: ServerContext, keys: readonly Key[]): Result {
  const replies = repliesOf(context, keys);
  return replies.length === 0 ? ask(keys) : text(JSON.stringify(replies));
}

async function withState(context: ServerContext, keys: readonly Key[], done: string): Promise<Result> {
  const state = await stateOf(context);
  if (state !== undefined && repliesOf(context, keys).length > 0) return text(done);
  return ask(keys, await codec.mint({ round: 1 }, context));
}

async function stateOf(context: ServerContext): Promise<{ round: number } | undefined> {
  const sealed: unknown = context.mcpReq.requestState();
  if (typeof sealed !== 'string') return undefined;
  return codec.verify(sealed, context).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state was changed.');
  });
}
