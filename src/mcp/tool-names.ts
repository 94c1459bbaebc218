import type { RegisteredTool } from '@modelcontextprotocol/server';
import type { ToolCensus } from '../core/claude/tool-census.js';

/**
 * Adds the names of Claude Code's tools to a description as soon as a session reports them. Connected clients get one
 * notification that the list has changed; later clients see the names from the start.
 */
export function nameToolsWhenKnown(registered: RegisteredTool, census: ToolCensus): void {
  const { description = '' } = registered;
  census.whenKnown((names) =>
    registered.update({ description: `${description} Its tools: ${names.join(', ')}.` }),
  );
}
