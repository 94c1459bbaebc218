import type { ServerContext } from '@modelcontextprotocol/server';
import type { ToolCallEntry } from '../core/observability/audit.js';
import type { CallObserver, EndedCall } from '../core/observability/call-observer.js';
import type { Clock } from '../core/clock.js';
import { cutMiddle } from '../core/text/escape.js';
import { isUuid } from '../core/ids.js';
import type { Caller } from '../core/caller.js';
import type { CallOutcome } from '../core/observability/measurements.js';
import { traceIdOf } from '../core/trace.js';
import type { Tool } from '../toolsets/shared/define-tool.js';

export interface RecordDependencies {
  readonly clock: Clock;
  /** Notified when a call ends. */
  readonly observers: readonly CallObserver[];
}

/** An error may quote the argument it rejects, which can be of any length. */
const maxReasonChars = 500;

/** The facts about a call that its record needs. */
export interface ToldCall {
  readonly tool: Tool;
  readonly caller: Caller;
  readonly context: ServerContext;
}

/** Collects the facts about a call and passes them to the observers when it ends. */
export class CallRecord {
  readonly #call: ToldCall;
  readonly #deps: RecordDependencies;
  readonly #startedAt: number;
  #sessionId: string | undefined;
  #told: Pick<ToolCallEntry, 'action' | 'requestId' | 'decision'> = {};

  constructor(call: ToldCall, deps: RecordDependencies) {
    this.#call = call;
    this.#deps = deps;
    this.#startedAt = deps.clock.elapsed();
  }

  /** The ids in every log line about this call. */
  get ids(): Pick<ToolCallEntry, 'callId' | 'sessionId' | 'traceId'> {
    const { callId, trace } = this.#call.caller;
    return { callId, sessionId: this.#sessionId, traceId: trace && traceIdOf(trace) };
  }

  /** Records only ids and names: other arguments may be long or secret. */
  noteArguments(args: Readonly<Record<string, unknown>>): void {
    const { sessionId, action, requestId, decision } = args;
    if (typeof sessionId === 'string' && isUuid(sessionId.trim().toLowerCase())) this.noteSession(sessionId);
    this.#told = { action: word(action), requestId: word(requestId), decision: word(decision) };
  }

  noteSession(sessionId: string): void {
    this.#sessionId = sessionId.trim().toLowerCase();
  }

  end(code: CallOutcome, reason?: string): void {
    const { tool, caller, context } = this.#call;
    const { clientId, login, client, era } = caller;
    const ended: EndedCall = {
      tool: tool.name,
      isRead: tool.effect === 'read',
      // A caller that cancelled never sees the outcome.
      code: context.mcpReq.signal.aborted ? 'CANCELLED' : code,
      reason: reason && cutMiddle(reason, maxReasonChars),
      durationMs: Math.round(this.#deps.clock.elapsed() - this.#startedAt),
      ...this.#told,
      ...this.ids,
      clientId,
      login,
      client,
      era,
    };
    for (const observer of this.#deps.observers) observer.onCallEnded(ended);
  }
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,60}$/.test(value) ? value : undefined;
}
