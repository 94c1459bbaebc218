import type { ToolCensus } from '../core/claude/tool-census.js';
import type { TextResource } from './resources.js';

/** What callers can look up; no tool depends on it. */
export function referenceResources(census: ToolCensus): readonly TextResource[] {
  return [
    {
      name: 'options',
      uri: 'claude-code://reference/options',
      title: 'Options of claude_code',
      description: 'Every start option, advanced ones included: values, meaning, defaults.',
      isFixed: true,
      async read() {
        const { optionsReference } = await import('../toolsets/reference/start-options.js');
        return optionsReference();
      },
    },
    {
      name: 'tools',
      uri: 'claude-code://reference/tools',
      title: 'Tools of Claude Code',
      description: 'The tools that can be allowed or disallowed: name, category, what each does.',
      isFixed: false,
      async read() {
        const { toolsReference } = await import('../toolsets/reference/claude-tools.js');
        return toolsReference(census.names);
      },
    },
  ];
}
