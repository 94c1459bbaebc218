import type { ToolCensus } from '../../core/claude/tool-census.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { ObserveProcess } from '../services/process-observer.js';

/** Records which tools Claude Code reports at its start. */
export function observeTools(census: ToolCensus): ObserveProcess {
  return ({ options }) => ({
    onSignal(signal) {
      if (signal.type === 'init') census.note(signal.tools, hasAllTools(options));
    },
  });
}

function hasAllTools({ tools, disallowedTools = [], agent }: EffectiveOptions): boolean {
  return tools === undefined && disallowedTools.length === 0 && agent === undefined;
}
