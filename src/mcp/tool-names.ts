import type { RegisteredTool } from '@modelcontextprotocol/server';
import type { ToolCensus } from '../core/claude/tool-census.js';

/**
 * Names Claude Code's tools in the description of the tool that starts it, as soon as they are known. Clients that are
 * connected by then are told once that the list has changed; later ones see it from the start.
 */
export function nameToolsWhenKnown(registered: RegisteredTool, census: ToolCensus): void {
  const { description = '' } = registered;
  census.whenKnown((names) =>
    registered.update({ description: `${description} Its tools: ${names.join(', ')}.` }),
  );
}
