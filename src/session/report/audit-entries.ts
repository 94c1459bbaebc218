import { createHash } from 'node:crypto';
import { factsOf } from '../../core/claude/attachment.js';
import type { Prompt } from '../../core/claude/backend.js';
import type { AuditEntry } from '../../core/observability/audit.js';
import type { AuditedCaller, Caller } from '../../core/caller.js';
import type { SettledInput } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { summarizeToolUse } from '../../core/text/tool-summary.js';
import { traceIdOf } from '../../core/trace.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import { withoutSecrets } from '../../state/record-options.js';

const maxSummaryChars = 300;

export function settledEntry(
  { request, answer, decision, answeredBy }: SettledInput,
  redactor: Redactor,
  who?: AuditedCaller,
): AuditEntry {
  const { sessionId, requestId, kind, toolName, input, folder } = request;
  const { updatedInput, forSession, updates, nextMode } =
    answer.decision === 'allow' ? answer : ({} as Partial<Extract<typeof answer, { decision: 'allow' }>>);
  const run = updatedInput ?? input;
  const json = JSON.stringify(run);
  const granted = [
    ...(updates ?? []),
    ...(nextMode === undefined ? [] : [{ type: 'setMode', mode: nextMode }]),
  ];
  return {
    what: 'input_settled',
    sessionId,
    requestId,
    kind,
    toolName,
    // Redacted before it is truncated: half a secret is no longer recognised.
    summary: summarizeToolUse(toolName, redactor.redactValue(run), maxSummaryChars),
    // A caller could mask a command with a value that it passed as a secret; the hash still proves what it allowed.
    inputHash: createHash('sha256').update(json).digest('hex'),
    inputChars: json.length,
    folder,
    decision,
    forSession,
    isEdited: updatedInput === undefined ? undefined : true,
    granted: granted.length === 0 ? undefined : granted,
    answeredBy,
    ...who,
  };
}

export interface GivenPrompt {
  readonly prompt: Pick<Prompt, 'text' | 'attachments'>;
  /** Undefined if the live process keeps its own options. */
  readonly options: EffectiveOptions | undefined;
  readonly forkOf?: string | undefined;
}

export function promptEntry(
  { id, options: present }: { readonly id: string; readonly options: EffectiveOptions },
  { prompt, options, forkOf }: GivenPrompt,
  caller: Caller,
): AuditEntry {
  const recorded = options && withoutSecrets(options);
  return {
    what: 'prompt_given',
    sessionId: id,
    forkOf,
    promptChars: prompt.text.length,
    attachments: prompt.attachments?.length ? prompt.attachments.map(factsOf) : undefined,
    cwd: present.cwd,
    options: recorded?.options,
    withheld: recorded?.withheld.length ? recorded.withheld : undefined,
    ...callerFields(caller),
  };
}

export function turnEntry(
  { id, turnNumber }: { readonly id: string; readonly turnNumber: number },
  { startedBy, outcome, errorSubtype, durationMs, costUsd, isEstimate }: TurnReport,
): AuditEntry {
  const turn = { sessionId: id, turn: turnNumber };
  if (isEstimate) return { what: 'cost_estimated', ...turn, costUsd };
  return { what: 'turn_ended', ...turn, startedBy, outcome, errorSubtype, durationMs, costUsd };
}

export function callerFields({ clientId, login, client, device, era, callId, trace }: Caller): AuditedCaller {
  return { clientId, login, client, device, era, callId, traceId: trace && traceIdOf(trace) };
}
