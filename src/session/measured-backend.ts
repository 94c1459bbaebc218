import type { Backend, BackendHost, BackendSignal } from '../core/backend.js';
import type { Clock } from '../core/clock.js';
import type { EventBody } from '../core/events.js';
import type { Meter } from '../core/measurements.js';
import { usageByModel } from '../core/usage.js';

/** A process that never answers its tool calls must not fill the memory. */
const maxOpenCalls = 1_000;

/** The same backend; its processes, what they use and which tools they call are measured. */
export function measureBackend(backend: Backend, meter: Meter, clock: Clock): Backend {
  return {
    prepare: () => backend.prepare(),
    open(launch, host) {
      meter.measure({ what: 'process_started' });
      return backend.open(launch, measuredHost(host, meter, clock));
    },
  };
}

function measuredHost(host: BackendHost, meter: Meter, clock: Clock): BackendHost {
  const calls = new ToolCalls(meter);
  const startedAt = clock.now();
  let isStarting = true;
  const noteStart = (isReady: boolean): void => {
    if (isStarting) meter.measure({ what: 'process_ready', isReady, ms: clock.now() - startedAt });
    isStarting = false;
  };
  return {
    onSignal(signal, raw) {
      if (signal.type === 'init' || signal.type === 'result') noteStart(true);
      measureSignal(signal, meter);
      if (signal.type === 'event') calls.note(signal.event);
      host.onSignal(signal, raw);
    },
    judge: (call) => host.judge(call),
    async onAsk(ask, signal) {
      const answer = await host.onAsk(ask, signal);
      if (answer.decision === 'deny') calls.noteDenied(ask.toolUseId);
      return answer;
    },
    onExit(exit) {
      noteStart(false);
      calls.end();
      meter.measure({ what: 'process_ended' });
      host.onExit(exit);
    },
  };
}

function measureSignal(signal: BackendSignal, meter: Meter): void {
  if (signal.type === 'api_retry') meter.measure({ what: 'api_retried', status: signal.status });
  if (signal.type !== 'result') return;
  const { costUsd, modelUsage } = signal.report;
  for (const usage of usageByModel(costUsd, modelUsage)) meter.measure({ what: 'model_used', ...usage });
}

/** Joins the tool calls of one process to their results. */
class ToolCalls {
  readonly #meter: Meter;
  readonly #open = new Map<string, { readonly tool: string; isDenied: boolean }>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  note(event: EventBody): void {
    if (event.type === 'tool_use') {
      const { toolUseId, toolName } = event;
      if (this.#open.size < maxOpenCalls && !this.#open.has(toolUseId))
        this.#open.set(toolUseId, { tool: toolName, isDenied: false });
    }
    if (event.type !== 'tool_result') return;
    const call = this.#open.get(event.toolUseId);
    if (call === undefined) return;
    this.#open.delete(event.toolUseId);
    const failure = call.isDenied ? 'denied' : 'error';
    this.#meter.measure({
      what: 'claude_tool_ended',
      tool: call.tool,
      outcome: event.isError ? failure : 'ok',
    });
  }

  noteDenied(toolUseId: string): void {
    const call = this.#open.get(toolUseId);
    if (call !== undefined) call.isDenied = true;
  }

  end(): void {
    for (const { tool } of this.#open.values())
      this.#meter.measure({ what: 'claude_tool_ended', tool, outcome: 'unfinished' });
    this.#open.clear();
  }
}
