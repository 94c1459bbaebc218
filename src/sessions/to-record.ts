import { isObject } from '../core/json.js';
import type { EffectiveOptions } from '../core/options/index.js';
import { isEmpty, type GrantSeal } from '../state/grant-seal.js';
import { isInTurn } from '../state/open-turn.js';
import { withoutSecrets } from '../state/record-options.js';
import type { SessionRecord } from '../state/record.js';
import type { Fields } from '../state/record-store.js';
import type { TurnResult } from '../core/session/turn-result.js';
import { summarizeToolUse } from '../core/text/tool-summary.js';
import type { InputRequest } from '../core/session/inputs.js';
import type { SessionView } from '../session/session-view.js';

/** `server`: this server, which runs the open turn. */
interface Circumstances {
  readonly now: number;
  readonly server: string;
  readonly seal: GrantSeal;
}

/** Builds the record of a session, which outlives this server. */
export function toRecord(session: SessionView, { now, server, seal }: Circumstances): SessionRecord {
  const { status, outcome } = session.state;
  const { openInputs, settled, cutTurn } = session;
  const queue = [...session.kept, ...session.queued];
  return {
    sessionId: session.id,
    claudeSessionId: session.claudeSessionId,
    createdAt: session.createdAt,
    updatedAt: now,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    turn: session.turnNumber,
    ...(session.firstPrompt === undefined ? {} : { firstPrompt: session.firstPrompt }),
    ...(session.log.head === 0 ? {} : { cursor: session.log.head }),
    ...savedResult(session.lastResult),
    ...openTurn(session, server),
    ...(cutTurn === undefined ? {} : { cutTurn }),
    ...(session.forgotAfter === undefined ? {} : { forgotAfter: session.forgotAfter }),
    ...(queue.length === 0 ? {} : { queue }),
    ...(openInputs.length === 0 ? {} : { requests: openInputs.map(toRequest) }),
    ...(settled.length === 0 ? {} : { settled: [...settled] }),
    ...(session.voided.length === 0 ? {} : { voided: [...session.voided] }),
    totals: session.totals,
    potId: session.budgetId,
    ...(session.spentBeforeUsd === undefined ? {} : { spentBeforeUsd: session.spentBeforeUsd }),
    ...sealedGrants(session, seal),
    ...(session.isForeign ? { isForeign: true } : {}),
    ...sealedOptions(session, seal),
  };
}

/** What remains of a session that is not persisted: only what its open turn may cost. */
export function toMoney(session: SessionView, server: string): Fields {
  const { openTurn: turn, ...rest } = openTurn(session, server);
  const { attachments: _attachments, ...kept } = turn ?? {};
  return { ...rest, ...(turn && { openTurn: { ...kept, prompts: [] } }) };
}

function openTurn(
  session: SessionView,
  server: string,
): Pick<SessionRecord, 'openTurn' | 'openCostUsd' | 'server'> {
  const { openTurn: turn, openCostUsd, state, elsewhere } = session;
  if (turn !== undefined)
    return { openTurn: turn, ...(openCostUsd === undefined ? {} : { openCostUsd }), server };
  return isInTurn(state) && elsewhere === undefined ? { server } : {};
}

/** A record is built often, and its options rarely change. */
const sealed = new WeakMap<EffectiveOptions, SealedOptions & { readonly sessionId: string }>();

type SealedOptions = Pick<SessionRecord, 'options' | 'withheld' | 'optionsMac'>;

function sealedOptions({ id: sessionId, options }: SessionView, seal: GrantSeal): SealedOptions {
  const known = sealed.get(options);
  if (known?.sessionId === sessionId && known.optionsMac !== undefined) {
    const { sessionId: _id, ...rest } = known;
    return rest;
  }
  const saved = withoutSecrets(options);
  const optionsMac = seal.optionsMacOf({ sessionId, options: saved.options });
  const built = { ...saved, ...(optionsMac === undefined ? {} : { optionsMac }) };
  sealed.set(options, { ...built, sessionId });
  return built;
}

/** Grants that cannot be sealed are not saved: the next server could not tell them from invented ones. */
function sealedGrants(
  { id: sessionId, options: { cwd }, grants }: SessionView,
  seal: GrantSeal,
): Pick<SessionRecord, 'grants' | 'grantsMac'> {
  if (isEmpty(grants)) return {};
  const grantsMac = seal.macOf({ sessionId, cwd, grants });
  return grantsMac === undefined ? {} : { grants, grantsMac };
}

function toRequest({ requestId, shown }: InputRequest): { requestId: string; summary: string } {
  return { requestId, summary: summarizeToolUse(shown.toolName, shown.input) };
}

/** The text of a longer result is read from the transcript instead. */
const maxSavedChars = 500_000;

type Saved = Pick<SessionRecord, 'lastResult'>;

/** A record is built often, and its result changes once a turn. */
const saved = new WeakMap<TurnResult, Saved>();

function savedResult(result: TurnResult | undefined): Saved {
  if (result === undefined) return {};
  const known = saved.get(result) ?? toSaved(result);
  saved.set(result, known);
  return known;
}

function toSaved(result: TurnResult): Saved {
  const { refusal: _refusal, usage: _usage, modelUsage: _models, permissionDenials, ...seen } = result;
  const denials = permissionDenials?.flatMap(toDenial) ?? [];
  const lastResult = denials.length === 0 ? seen : { ...seen, permissionDenials: denials };
  if (isShort(lastResult)) return { lastResult };
  const { result: _result, structuredOutput: _output, ...rest } = lastResult;
  return isShort(rest) ? { lastResult: rest } : {};
}

function toDenial(denial: unknown): readonly { tool_name: string }[] {
  const name = isObject(denial) ? denial['tool_name'] : undefined;
  return typeof name === 'string' ? [{ tool_name: name }] : [];
}

function isShort(saved: object): boolean {
  return JSON.stringify(saved).length <= maxSavedChars;
}
