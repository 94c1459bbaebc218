import type { BackendSignal } from '../../core/claude/backend.js';
import { AppError } from '../../core/errors.js';
import type { Outcome } from '../../core/session/session-state.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import { classifyFailure } from './classify-result.js';
import { asList, asNumber, asText, isObject, type JsonObject } from '../../core/json.js';
import { RunningSum } from './running-sum.js';

const interruptions = new Set(['aborted_streaming', 'aborted_tools']);

/** Maps the end of a turn. Stores the running sums of the process, and the responses of the turn. */
export class ResultMapper {
  readonly #cost: RunningSum;
  readonly #apiMs: RunningSum;
  #assistantError: string | undefined;
  /** Responses of the model in this turn, without those to subagents. Each is reported in parts with the same id. */
  #answers = 0;
  #lastAnswer: string | undefined;

  constructor({ isNewConversation }: { readonly isNewConversation: boolean }) {
    this.#cost = new RunningSum(isNewConversation);
    this.#apiMs = new RunningSum(isNewConversation);
  }

  noteAssistant({ error, message, parent_tool_use_id: agent }: JsonObject): void {
    this.#assistantError = asText(error) ?? this.#assistantError;
    const id = isObject(message) && typeof agent !== 'string' ? asText(message['id']) : undefined;
    if (id === undefined || id === this.#lastAnswer) return;
    this.#lastAnswer = id;
    this.#answers += 1;
  }

  map(message: JsonObject): BackendSignal {
    const origin = isObject(message['origin']) ? asText(message['origin']['kind']) : undefined;
    const promptUuids = asList(message['user_message_uuids']).filter((uuid) => typeof uuid === 'string');
    const report = this.#report(message);
    this.#assistantError = undefined;
    this.#answers = 0;
    return {
      type: 'result',
      promptUuids,
      // Only some failures before the first model call do not name the prompt they belong to.
      unsolicited: promptUuids.length === 0 && (origin !== undefined || report.outcome !== 'failed'),
      report,
    };
  }

  #report(message: JsonObject): TurnReport {
    const outcome = outcomeOf(message);
    const durationApiMs = this.#apiMs.advance(asNumber(message['duration_api_ms']));
    // `modelUsage` is the sum over all turns.
    const modelUsage = message['model_usage_since_last_result'] ?? message['modelUsage'];
    const stopReason = asText(message['stop_reason']);
    const denials = asList(message['permission_denials']);
    const result = resultText(message, outcome);
    const refusal = outcome === 'failed' ? sandboxRefusal(result) : undefined;
    return {
      result,
      outcome,
      ...(refusal === undefined ? {} : { refusal }),
      ...(outcome === 'failed' ? { errorSubtype: classifyFailure(message, this.#assistantError) } : {}),
      durationMs: asNumber(message['duration_ms']) ?? 0,
      ...(durationApiMs === undefined ? {} : { durationApiMs }),
      numTurns: this.#modelTurns(message, outcome),
      costUsd: this.#turnCost(message),
      ...('structured_output' in message ? { structuredOutput: message['structured_output'] } : {}),
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(isObject(message['usage']) ? { usage: message['usage'] } : {}),
      ...(isObject(modelUsage) ? { modelUsage } : {}),
      ...(denials.length === 0 ? {} : { permissionDenials: denials }),
    };
  }

  /** Claude Code also counts the mark of an interruption, and each further call of a response with several. */
  #modelTurns(message: JsonObject, outcome: Outcome): number {
    const reported = asNumber(message['num_turns']) ?? 0;
    const isCounted = this.#answers > 0 || outcome === 'interrupted';
    return isCounted ? Math.min(reported, this.#answers) : reported;
  }

  /** `total_cost_usd` is cumulative, restarts after a kill and differs for forks, so only differences are reliable. */
  #turnCost(message: JsonObject): number {
    const sinceLastTotal = this.#cost.advance(asNumber(message['total_cost_usd']));
    const byModel = message['model_usage_since_last_result'];
    if (!isObject(byModel)) return sinceLastTotal ?? 0;
    return Object.values(byModel).reduce<number>(
      (sum, usage) => sum + (isObject(usage) ? (asNumber(usage['costUSD']) ?? 0) : 0),
      0,
    );
  }
}

function outcomeOf(message: JsonObject): Outcome {
  if (interruptions.has(asText(message['terminal_reason']) ?? '')) return 'interrupted';
  return message['is_error'] === true ? 'failed' : 'completed';
}

/** Claude Code reports it as its result, and advises a setting that callers may not change. */
function sandboxRefusal(result: string): AppError | undefined {
  const [, problem] =
    /^Sandbox required but unavailable: (.*?)\.?( Set sandbox\.failIfUnavailable.*)?$/s.exec(result) ?? [];
  return problem === undefined ? undefined : new AppError('sandbox_unavailable', { problem });
}

/** `errors[]` of an interrupted turn is a diagnostic of Claude Code, not for callers. */
function resultText(message: JsonObject, outcome: Outcome): string {
  const result = asText(message['result']);
  if (result !== undefined && result !== '') return result;
  if (outcome === 'interrupted') return 'Interrupted.';
  return asList(message['errors'])
    .filter((error) => typeof error === 'string' && !error.startsWith('[ede_diagnostic]'))
    .join('\n');
}
