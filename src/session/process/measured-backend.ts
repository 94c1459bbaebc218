import type { Backend, BackendHost, BackendSignal } from '../../core/claude/backend.js';
import type { EventBody } from '../../core/session/events.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { TurnReport } from '../../core/session/turn-result.js';
import { usageByModel } from '../../core/session/usage.js';

/** A process that never answers its tool calls must not fill the memory. */
const maxOpenCalls = 1_000;

/** The same backend; its processes, what they use and which tools they call are measured. */
export function measureBackend(backend: Backend, meter: Meter): Backend {
  return {
    name: backend.name,
    abilities: backend.abilities,
    prepare: () => backend.prepare(),
    open(launch, host) {
      meter.measure({ what: 'process_started' });
      return backend.open(launch, measuredHost(host, meter));
    },
  };
}

function measuredHost(host: BackendHost, meter: Meter): BackendHost {
  const calls = new ToolCalls(meter);
  return {
    onSignal(signal, raw) {
      measureSignal(signal, meter);
      if (signal.type === 'event') calls.note(signal.event);
      host.onSignal(signal, raw);
    },
    onMessage: host.onMessage,
    judge: (call) => host.judge(call),
    async onAsk(ask, signal) {
      const answer = await host.onAsk(ask, signal);
      if (answer.decision === 'deny') calls.noteDenied(ask.toolUseId);
      return answer;
    },
    onExit(exit) {
      calls.end();
      meter.measure({ what: 'process_ended' });
      host.onExit(exit);
    },
  };
}

function measureSignal(signal: BackendSignal, meter: Meter): void {
  if (signal.type === 'api_retry') meter.measure({ what: 'api_retried', status: signal.status });
  if (signal.type === 'result') measureUsage(signal.report, meter);
}

export function measureUsage({ costUsd, modelUsage }: TurnReport, meter: Meter): void {
  for (const usage of usageByModel(costUsd, modelUsage)) meter.measure({ what: 'model_used', ...usage });
}

/** Joins the tool calls of one process to their results. */
class ToolCalls {
  readonly #meter: Meter;
  readonly #open = new Map<string, string>();
  readonly #denied = new Set<string>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  note(event: EventBody): void {
    if (event.type === 'tool_use') this.#begin(event.toolUseId, event.toolName);
    if (event.type === 'tool_result') this.#end(event.toolUseId, event.isError);
  }

  /** Claude Code may ask before it tells of the call. */
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

  #end(toolUseId: string, isError: boolean): void {
    const tool = this.#open.get(toolUseId);
    if (tool === undefined) return;
    this.#open.delete(toolUseId);
    const failure = this.#denied.delete(toolUseId) ? 'denied' : 'error';
    this.#meter.measure({ what: 'claude_tool_ended', tool, outcome: isError ? failure : 'ok' });
  }
}
