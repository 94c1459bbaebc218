/** What the conformance suite expects of the server it tests: tools, resources and prompts with fixed names. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CallToolResult, ProtocolEra, Server, ServerContext } from '@modelcontextprotocol/server';
import {
  fromJsonSchema,
  inputRequired,
  MissingRequiredClientCapabilityError,
  CLIENT_CAPABILITIES_META_KEY,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { text } from './text-result.js';
import { addInputFixtures } from './input-fixtures.js';
import { FixtureTools } from './fixture-tools.js';
import { addPromptFixtures, addResourceFixtures, png } from './text-fixtures.js';

const nothing = z.object({});
const description = 'For the conformance suite.';
/** An empty WAV file. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

export function addFixtures(server: Server, era: ProtocolEra): void {
  const tools = new FixtureTools();
  addContentTools(tools);
  addNotifyingTools(tools);
  if (era === 'legacy') addAskingTools(tools);
  else addInputFixtures(tools);
  addSchemaTools(tools);
  tools.addTo(server);
  addResourceFixtures(server);
  addPromptFixtures(server);
}

function addContentTools(tools: FixtureTools): void {
  const image = { type: 'image', data: png, mimeType: 'image/png' } as const;
  const resource = (uri: string, mimeType: string, words: string) =>
    ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const;
  const results: Readonly<Record<string, CallToolResult>> = {
    test_simple_text: text('This is a simple text response for testing.'),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] },
    test_embedded_resource: {
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    },
    test_multiple_content_types: {
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    },
    test_error_handling: {
      ...text('This tool intentionally returns an error for testing'),
      isError: true,
    },
  };
  for (const [name, result] of Object.entries(results))
    tools.registerTool(name, { description, inputSchema: nothing }, () => result);
}

function addNotifyingTools(tools: FixtureTools): void {
  const log = async ({ mcpReq }: ServerContext): Promise<CallToolResult> => {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', words);
      await pause(50);
    }
    return text('Logged.');
  };
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    tools.registerTool(name, { description, inputSchema: nothing }, (_args, context) => log(context));
  tools.registerTool(
    'test_tool_with_progress',
    { description, inputSchema: nothing },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
        await pause(50);
      }
      return text('Progressed.');
    },
  );
}

/** Before 2026 a server asks the client during a call. */
function addAskingTools(tools: FixtureTools): void {
  tools.registerTool(
    'test_sampling',
    { description, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      return text(`LLM response: ${'text' in content ? content.text : ''}`);
    },
  );
  const forms: Readonly<Record<string, Record<string, unknown>>> = {
    test_elicitation_sep1034_defaults: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    test_elicitation_sep1330_enums: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
    },
  };
  for (const [name, properties] of Object.entries(forms))
    tools.registerTool(name, { description, inputSchema: nothing }, async (_args, { mcpReq }) => {
      const { action, content } = await mcpReq.elicitInput({
        mode: 'form',
        message: 'Please fill in the form.',
        requestedSchema: { type: 'object', properties, required: [] } as never,
      });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    });
  tools.registerTool(
    'test_elicitation',
    { description, inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const answer = (description: string) => ({ type: 'string', description }) as const;
      const { action, content } = await mcpReq.elicitInput({
        mode: 'form',
        message,
        requestedSchema: {
          type: 'object',
          properties: { username: answer("User's response"), email: answer("User's email address") },
          required: ['username', 'email'],
        },
      });
      return text(`User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`);
    },
  );
}

function titled(word: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((ordinal, index) => ({
    const: `value${index + 1}`,
    title: `${ordinal} ${word}`,
  }));
}

function addSchemaTools(tools: FixtureTools): void {
  tools.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    () => text('ok'),
  );
  tools.registerTool(
    'test_missing_capability',
    { description, inputSchema: nothing },
    (_args, { mcpReq }) => {
      const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
      const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as { sampling?: object } | undefined;
      if (capabilities?.sampling === undefined)
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      return text('ok');
    },
  );
  tools.registerTool('test_streaming_elicitation', { description, inputSchema: nothing }, () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: 'Your name?',
          requestedSchema: z.object({ name: z.string() }),
        }),
      },
    }),
  );
}
