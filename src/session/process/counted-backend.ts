import type { Backend } from '../../core/claude/backend.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { ToolCensus } from '../../core/claude/tool-census.js';

/** The same backend; what its sessions tell about their tools is written down. */
export function countTools(backend: Backend, census: ToolCensus): Backend {
  return {
    name: backend.name,
    abilities: backend.abilities,
    prepare: () => backend.prepare(),
    open: (launch, host) =>
      backend.open(launch, {
        onSignal(signal, raw) {
          if (signal.type === 'init') census.note(signal.tools, hasAllTools(launch.options));
          host.onSignal(signal, raw);
        },
        onMessage: host.onMessage,
        judge: (call) => host.judge(call),
        onAsk: (ask, signal) => host.onAsk(ask, signal),
        onExit: (exit) => host.onExit(exit),
      }),
  };
}

function hasAllTools({ tools, disallowedTools = [], agent }: EffectiveOptions): boolean {
  return tools === undefined && disallowedTools.length === 0 && agent === undefined;
}
