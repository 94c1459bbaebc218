import type { ToolCensus } from '../../core/claude/tool-census.js';
import type { Tool } from '../../toolsets/shared/define-tool.js';
import type { TextResource } from './text-resource.js';

/** The only tool with enough options for a page of its own. */
const starterName = 'claude_code';

/** Reference pages for callers. They name only what is served. */
export function referenceResources(census: ToolCensus, served: readonly Tool[]): readonly TextResource[] {
  const hasStarter = served.some(({ name }) => name === starterName);
  const options: TextResource = {
    name: 'options',
    uri: 'claude-code://reference/options',
    title: `Options of ${starterName}`,
    description: 'All start options, including advanced ones: values, meaning and defaults.',
    isFixed: true,
    async read() {
      const { optionsReference } = await import('../../toolsets/reference/start-options.js');
      return optionsReference();
    },
  };
  const tools: TextResource = {
    name: 'tools',
    uri: 'claude-code://reference/tools',
    title: 'Tools of Claude Code',
    description: 'Tools that can be allowed or disallowed: name, category and purpose.',
    isFixed: false,
    async read() {
      const { toolsReference } = await import('../../toolsets/reference/claude-tools.js');
      return toolsReference(census.names, served);
    },
  };
  return hasStarter ? [options, tools] : [tools];
}
