/** What a real API would have charged for the calls that the scripted model received, and what the server counts. */
import type { AnswerJson } from '../kit/answer-json.js';
import type { ApiCall, ScriptedModel } from '../kit/scripted-model.js';
import type { ServerClient } from '../kit/server-client.js';
import type { Witness } from './witness.js';

/** List prices in US dollars per million tokens. */
const prices: Readonly<Record<string, { readonly input: number; readonly output: number }>> = {
  'claude-opus-5-5': { input: 4, output: 20 },
};

/** Every server passes its name to Claude Code, which sends it with each call. */
export const serverHeader = 'x-fault-server';

export function callsOf(model: ScriptedModel, server: string): readonly ApiCall[] {
  return model.calls.filter(({ request }) => request.headers[serverHeader] === server);
}

function chargedUsd(calls: readonly ApiCall[]): number {
  return calls.reduce((sum, call) => sum + priceOf(call), 0);
}

function priceOf({ request, charged }: ApiCall): number {
  if (charged === undefined) return 0;
  const price = prices[request.body.model];
  if (price === undefined) throw new Error(`No list price is known for ${request.body.model}`);
  return (charged.input * price.input + charged.output * price.output) / 1_000_000;
}

interface Accounts {
  readonly witness: Witness;
  readonly model: ScriptedModel;
  readonly server: ServerClient;
}

// Answers round to a hundredth of a cent.
const roundingUsd = 0.000_06;

/** What was charged is counted, and what was counted stays counted. */
export async function checkMoney(
  { witness, model, server }: Accounts,
  { totalCostUsd = 0 }: AnswerJson,
  when: string,
): Promise<readonly string[]> {
  const charged = chargedUsd(model.calls);
  const { contents } = await server.client.readResource({ uri: 'claude-code://usage' });
  const [content] = contents;
  if (content === undefined || !('text' in content)) throw new Error('The usage has no text');
  const usage = JSON.parse(content.text) as {
    readonly total: { readonly costUsd: number };
  };
  return [
    ...(totalCostUsd + roundingUsd >= charged
      ? []
      : [`${when}: the API charged $${charged.toFixed(4)}, the session counts $${totalCostUsd}`]),
    ...(usage.total.costUsd + roundingUsd >= charged
      ? []
      : [`${when}: the API charged $${charged.toFixed(4)}, the usage counts $${usage.total.costUsd}`]),
    ...(totalCostUsd + roundingUsd >= witness.costUsd
      ? []
      : [`${when}: the session counted $${witness.costUsd} before and $${totalCostUsd} now`]),
  ];
}
