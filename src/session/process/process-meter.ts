import type { EventBody } from '../../core/session/events.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import { usageByModel } from '../../core/session/usage.js';
import type { ObserveProcess } from '../services/process-observer.js';

/** Bounds memory if a process never reports the results of its tool calls. */
const maxOpenCalls = 1_000;

/** Measures processes, their usage, and the tools they call. */
export function meterProcesses(meter: Meter): ObserveProcess {
  return () => {
    const calls = new ToolCalls(meter);
    meter.measure({ what: 'process_started' });
    return {
      onSignal(signal) {
        if (signal.type === 'api_retry') meter.measure({ what: 'api_retried', status: signal.status });
        if (signal.type === 'result') meterUsage(signal.report, meter);
        if (signal.type === 'event') calls.note(signal.event);
      },
      onAnswer({ toolUseId }, { decision }) {
        if (decision === 'deny') calls.noteDenied(toolUseId);
      },
      onExit() {
        calls.end();
        meter.measure({ what: 'process_ended' });
      },
    };
  };
}

export function meterUsage({ costUsd, modelUsage }: TurnReport, meter: Meter): void {
  for (const usage of usageByModel(costUsd, modelUsage)) meter.measure({ what: 'model_used', ...usage });
}

/** Matches the tool calls of one process with their results. */
class ToolCalls {
  readonly #meter: Meter;
  readonly #open = new Map<string, string>();
  readonly #denied = new Set<string>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  note(event: EventBody): void {
    if (event.type === 'tool_use') this.#begin(event.toolUseId, event.toolName);
    if (event.type === 'tool_result') this.#end(event);
  }

  /** Claude Code may ask for permission before it reports the call. */
  noteDenied(toolUseId: string): void {
    if (this.#denied.size < maxOpenCalls) this.#denied.add(toolUseId);
  }

  end(): void {
    for (const tool of this.#open.values())
      this.#meter.measure({ what: 'claude_tool_ended', tool, outcome: 'unfinished' });
    this.#open.clear();
  }

  #begin(toolUseId: string, tool: string): void {
    if (this.#open.size < maxOpenCalls && !this.#open.has(toolUseId)) this.#open.set(toolUseId, tool);
  }

  #end({ toolUseId, isError, isDenied }: Extract<EventBody, { type: 'tool_result' }>): void {
    const tool = this.#open.get(toolUseId);
    if (tool === undefined) return;
    this.#open.delete(toolUseId);
    const failure = this.#denied.delete(toolUseId) || isDenied ? 'denied' : 'error';
    this.#meter.measure({ what: 'claude_tool_ended', tool, outcome: isError ? failure : 'ok' });
  }
}
