import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Words } from './prompts.js';

/** Serves the prompts. Their texts are loaded on request. */
export function offerPrompts(server: Server, words: Words): void {
  server.setRequestHandler('prompts/list', async () => {
    const { prompts } = await import('./prompts.js');
    return {
      prompts: prompts.map(({ name, title, description, arguments: wanted }) => ({
        name,
        title,
        description,
        arguments: wanted.map(({ name: argument, description: meaning, isRequired = false }) => ({
          name: argument,
          description: meaning,
          required: isRequired,
        })),
      })),
    };
  });
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: sent = {} } }) => {
    const { prompts } = await import('./prompts.js');
    const prompt = prompts.find((one) => one.name === name);
    if (prompt === undefined)
      throw invalid(`There is no prompt ${name}. Prompts: ${prompts.map((one) => one.name).join(', ')}.`);
    // Clients send an empty text for a field that was left empty.
    const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value.trim() !== ''));
    const missing = prompt.arguments.find((one) => one.isRequired === true && given[one.name] === undefined);
    if (missing !== undefined) throw invalid(`The prompt ${name} needs the argument ${missing.name}.`);
    const text = prompt.text(given, words);
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
