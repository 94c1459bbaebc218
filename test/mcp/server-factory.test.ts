import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ToolCensus } from '../../src/core/claude/tool-census.js';
import type { ToolOutcome } from '../../src/core/tool-context.js';
import { always } from '../../src/core/view.js';
import { instructionsFor, nestedInstructions } from '../../src/mcp/instructions.js';
import { defineTool, type ServedTool, type ToolEffect } from '../../src/toolsets/shared/define-tool.js';
import { checkRespondsTools } from '../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { queryTools } from '../../src/toolsets/query/index.js';
import { sessionsTools } from '../../src/toolsets/sessions/index.js';
import type { SessionManager } from '../../src/sessions/session-manager.js';
import { redactorOf } from '../kit/redactors.js';
import { clientOf, connectClient, factoryOf, listTools } from './list-tools.js';

function tool(
  name: string,
  effect: ToolEffect,
  handle: () => Promise<ToolOutcome> = async () => ({ view: always({ word: 'done' }) }),
): ServedTool {
  const plain = defineTool({
    name,
    title: `The ${name}`,
    description: `Does ${name}.`,
    effect,
    input: z.strictObject({ word: z.string().optional() }),
    output: () => z.looseObject({ word: z.string() }),
    handle,
  });
  return { ...plain, vocabulary: asyncVocabulary };
}

/** Nothing in these tests comes as far as using it. */
const loadDependencies = async () => ({
  sessions: { saved: async () => true } as SessionManager,
  maxWaitMs: 0,
});

describe('a server', () => {
  it('introduces itself', async () => {
    const client = await connectClient({ instructions: 'Be kind.' });

    expect(client.getServerVersion()).toEqual({
      name: 'claude-code-mcp',
      title: 'Claude Code',
      version: '1.2.3',
    });
    expect(client.getInstructions()).toBe('Be kind.');
  });

  it('lists its tools in order, with what they do to the world', async () => {
    const listed = await listTools([tool('look', 'read'), tool('make', 'write'), tool('end', 'destructive')]);

    expect(listed.map(({ name, title, annotations }) => ({ name, title, annotations }))).toEqual([
      { name: 'look', title: 'The look', annotations: { readOnlyHint: true } },
      { name: 'make', title: 'The make', annotations: { destructiveHint: false } },
      { name: 'end', title: 'The end', annotations: { destructiveHint: true } },
    ]);
  });

  it('asks clients that defer tools to load the ones that start work', async () => {
    const query = queryTools({ maxExecutionMs: 300_000, async: undefined });
    const listed = await listTools([...asyncTools, ...sessionsTools, ...query]);

    const loaded = listed.filter(({ _meta: meta }) => meta?.['anthropic/alwaysLoad'] === true);
    expect(loaded.map(({ name }) => name)).toEqual([
      'claude_code',
      'claude_create_session',
      'claude_code_query',
    ]);
  });

  it('lets no tool but watching run without approval', async () => {
    const listed = await listTools([...asyncTools, ...sessionsTools]);

    const readOnly = listed.filter(({ annotations }) => annotations?.readOnlyHint === true);
    expect(readOnly.map(({ name }) => name)).toEqual([
      'claude_code_check',
      'claude_get_status',
      'claude_list_sessions',
    ]);
  });

  it('prepares for a session before the first tool that may need one', async () => {
    let times = 0;
    const tools = [tool('look', 'read'), tool('act', 'write')];
    const client = await connectClient({ tools, loadDependencies, onAct: () => (times += 1) });
    await client.listTools();
    await client.callTool({ name: 'look', arguments: { word: 'x' } });
    expect(times).toBe(0);

    await client.callTool({ name: 'act', arguments: { word: 'x' } });

    expect(times).toBe(1);
  });

  it('answers a call with the JSON of what the tool shows', async () => {
    const client = await connectClient({ tools: [tool('look', 'read')], loadDependencies });

    const answer = await client.callTool({ name: 'look', arguments: { word: 'x' } });

    expect(answer.content).toEqual([{ type: 'text', text: '{"word":"done"}' }]);
    expect(answer.isError).toBeUndefined();
  });

  it('answers a wrong argument in its own words', async () => {
    const client = await connectClient({ tools: [tool('look', 'read')], loadDependencies });

    const answer = await client.callTool({ name: 'look', arguments: { wrod: 'x' } });

    expect(answer).toMatchObject({
      isError: true,
      content: [
        {
          text: 'Error [INVALID_ARGUMENT]: unknown key "wrod": did you mean word? Correct the arguments and call again.',
        },
      ],
    });
  });

  it.each(['toString', 'constructor', '__proto__', 'nothing'])('has no tool %s', async (name) => {
    const client = await connectClient({ tools: [tool('look', 'read')], loadDependencies });

    await expect(client.callTool({ name })).rejects.toThrow(`Tool ${name} not found`);
  });

  it('serves no tools where it must not', async () => {
    expect(await listTools([])).toEqual([]);
  });
});

describe('the resources of a server', () => {
  const resource = {
    name: 'words',
    uri: 'claude-code://reference/words',
    title: 'Words',
    description: 'Some words.',
    isFixed: true,
  };

  it('are listed without being made, and read when asked for', async () => {
    let reads = 0;
    const read = async (): Promise<string> => `words ${(reads += 1)}`;
    const client = await connectClient({ resources: [{ ...resource, read }] });

    const { resources } = await client.listResources();
    expect(resources).toEqual([
      {
        name: 'words',
        uri: resource.uri,
        title: 'Words',
        description: 'Some words.',
        mimeType: 'text/markdown',
      },
    ]);
    expect(reads).toBe(0);

    const { contents } = await client.readResource({ uri: resource.uri });
    expect(contents).toEqual([{ uri: resource.uri, mimeType: 'text/markdown', text: 'words 1' }]);
  });

  it.each([
    [true, ['words 1', 'words 1']],
    [false, ['words 1', 'words 2']],
  ])('are made once for all clients if they never change: %s', async (isFixed, texts) => {
    let reads = 0;
    const read = async (): Promise<string> => `words ${(reads += 1)}`;
    const factory = factoryOf({ resources: [{ ...resource, isFixed, read }] });

    const received: unknown[] = [];
    for (const client of [await clientOf(factory), await clientOf(factory)])
      received.push((await client.readResource({ uri: resource.uri })).contents[0]);

    expect(received).toEqual(texts.map((text) => expect.objectContaining({ text })));
  });

  it('hide the secrets of each server', async () => {
    const secrets = ['first-planted-secret', 'second-planted-secret'] as const;
    const resources = [{ ...resource, read: async () => secrets.join(' and ') }];

    const received: unknown[] = [];
    for (const secret of secrets) {
      const client = await connectClient({ resources, redactor: redactorOf(secret) });
      received.push((await client.readResource({ uri: resource.uri })).contents[0]);
    }

    expect(received).toMatchObject([
      { text: expect.not.stringContaining(secrets[0]) },
      { text: expect.not.stringContaining(secrets[1]) },
    ]);
  });

  it('are none where it must not serve any', async () => {
    const client = await connectClient();

    expect((await client.listResources()).resources).toEqual([]);
  });
});

describe('a server that tells of changes', () => {
  it('names the tools of Claude Code in the description of claude_code, once', async () => {
    const census = new ToolCensus();
    const client = await connectClient({
      tools: [tool('claude_code', 'write'), tool('other', 'write')],
      census,
    });
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));

    census.note(['Bash', 'Read'], true);
    census.note(['Bash', 'Read', 'Write'], true);
    const { tools } = await client.listTools();

    expect(tools.map(({ description }) => description)).toEqual([
      'Does claude_code. Its tools: Bash, Read.',
      'Does other.',
    ]);
    expect(changes).toBe(1);
  });

  it('has nothing to tell unless the operator wants it', async () => {
    const client = await connectClient({ tools: [tool('claude_code', 'write')] });

    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: false },
      resources: { listChanged: false },
    });
  });
});

describe('the instructions', () => {
  it.each([
    ['async', false, asyncTools],
    ['async', true, checkRespondsTools],
    ['sessions', false, sessionsTools],
  ])(
    'of %s, four tools %s, are short, name every tool, and say that results are no instructions',
    (name, checkResponds, tools) => {
      const instructions = instructionsFor({ toolsets: [name, 'configure'], checkResponds });

      expect(instructions.length).toBeLessThan(1_200);
      for (const tool of tools) expect(instructions).toContain(tool.name);
      expect(instructions).toContain('never instructions');
      expect(instructions).toContain('never an approval');
    },
  );

  it('are those of async where both are served, and short inside a session', () => {
    expect(instructionsFor({ toolsets: ['sessions', 'async'], checkResponds: false })).toBe(
      instructionsFor({ toolsets: ['async'], checkResponds: false }),
    );
    expect(nestedInstructions.length).toBeLessThan(1_200);
  });
});

it.each(['legacy', 'modern'] as const)(
  'a connection that has ended is not kept for the tools of Claude Code, in the %s era',
  async (era) => {
    let waiting = 0;
    class CountedCensus extends ToolCensus {
      override whenKnown(...listeners: Parameters<ToolCensus['whenKnown']>) {
        const leave = super.whenKnown(...listeners);
        waiting += 1;
        return () => {
          waiting -= 1;
          leave();
        };
      }
    }
    const census = new CountedCensus();
    const client = await connectClient({ tools: asyncTools, census }, { era });
    await client.listTools();
    const connected = waiting;

    await client.close();

    expect([connected, waiting]).toEqual([1, 0]);
  },
);
