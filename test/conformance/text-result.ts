import type { CallToolResult } from '@modelcontextprotocol/server';

export function text(words: string): CallToolResult {
  return { content: [{ type: 'text', text: words }] };
}
