import type { ModelRequest } from './model-request.js';

/** The result of this tool call that the model received. Undefined if it received none. */
export function toolResultText({ body }: ModelRequest, toolUseId: string): string | undefined {
  const blocks = body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const result = blocks.findLast(
    ({ type, tool_use_id }) => type === 'tool_result' && tool_use_id === toolUseId,
  );
  if (result === undefined) return undefined;
  const { content } = result;
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : '';
}
