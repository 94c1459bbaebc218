/** Every answer follows the output schema of its tool: strict clients reject one that does not. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import type * as z from 'zod';
import { composeTools } from '../../src/app/compose-tools.js';

/** Throws if an answer of these tools does not follow its schema. Errors have none. */
export async function outputSchemas(
  settings: Parameters<typeof composeTools>[0],
): Promise<(name: string, result: CallToolResult) => CallToolResult> {
  const tools = await composeTools(settings);
  const schemas = new Map<string, z.ZodObject>(tools.map(({ name, output }) => [name, output()]));
  return (name, result) => {
    const [block] = result.content;
    if (result.isError === true || block?.type !== 'text') return result;
    const answer: unknown = result.structuredContent ?? JSON.parse(block.text);
    const problem = schemas.get(name)?.safeParse(answer).error;
    if (problem !== undefined)
      throw new Error(
        `${name} gave an answer that its output schema refuses: ${problem.message}\n${block.text}`,
      );
    return result;
  };
}
