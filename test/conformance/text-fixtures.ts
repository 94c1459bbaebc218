/** The resources and prompts of the conformance suite. They come before those of the server. */
import { inputRequired, inputResponse, type Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { addToList, answerFirst, type Answer } from './own-handlers.js';

/** One red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

const description = 'For the conformance suite.';

export function addResourceFixtures(server: Server): void {
  addToList(server, 'resources/list', 'resources', [
    { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
    { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
  ]);
  addToList(server, 'resources/templates/list', 'resourceTemplates', [
    { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
  ]);
  answerFirst(server, 'resources/read', ({ uri }) => {
    const contents = contentsOf(String(uri));
    return contents && { contents: [{ uri, ...contents }] };
  });
}

function contentsOf(uri: string): Answer | undefined {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined)
    return {
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  const fixed: Readonly<Record<string, Answer>> = {
    'test://static-text': {
      mimeType: 'text/plain',
      text: 'This is the content of the static text resource.',
    },
    'test://static-binary': { mimeType: 'image/png', blob: png },
    'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
  };
  return Object.hasOwn(fixed, uri) ? fixed[uri] : undefined;
}

export function addPromptFixtures(server: Server): void {
  const argument = (name: string): Answer => ({ name, description: name, required: true });
  addToList(server, 'prompts/list', 'prompts', [
    { name: 'test_simple_prompt', description },
    { name: 'test_prompt_with_arguments', description, arguments: [argument('arg1'), argument('arg2')] },
    { name: 'test_prompt_with_embedded_resource', description, arguments: [argument('resourceUri')] },
    { name: 'test_prompt_with_image', description },
    { name: 'test_input_required_result_prompt', description },
  ]);
  answerFirst(server, 'prompts/get', ({ name, arguments: given }, { mcpReq }) => {
    const values = (given ?? {}) as Readonly<Record<string, string>>;
    const say = (text: string): Answer => ({ role: 'user', content: { type: 'text', text } });
    const prompts: Readonly<Record<string, () => Answer>> = {
      test_simple_prompt: () => ({ messages: [say('This is a simple prompt for testing.')] }),
      test_prompt_with_arguments: () => ({
        messages: [say(`Prompt with arguments: arg1='${values['arg1']}', arg2='${values['arg2']}'`)],
      }),
      test_prompt_with_embedded_resource: () => ({
        messages: [
          {
            role: 'user',
            content: {
              type: 'resource',
              resource: {
                uri: values['resourceUri'],
                mimeType: 'text/plain',
                text: 'Embedded resource content for testing.',
              },
            },
          },
          say('Please process the embedded resource above.'),
        ],
      }),
      test_prompt_with_image: () => ({
        messages: [
          { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
          say('Please analyze the image above.'),
        ],
      }),
      test_input_required_result_prompt: () => {
        const answer = inputResponse(mcpReq.inputResponses, 'user_context');
        if (answer.kind === 'elicit' && answer.action === 'accept')
          return { messages: [say(`Context: ${JSON.stringify(answer.content)}`)] };
        return {
          ...inputRequired({
            inputRequests: {
              user_context: inputRequired.elicit({
                message: 'What context should the prompt use?',
                requestedSchema: z.object({ context: z.string() }),
              }),
            },
          }),
        };
      },
    };
    const prompt = typeof name === 'string' && Object.hasOwn(prompts, name) ? prompts[name] : undefined;
    return prompt?.();
  });
}
