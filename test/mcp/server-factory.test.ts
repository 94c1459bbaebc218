import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { instructions, nestedInstructions } from '../../src/mcp/instructions.js';
import { defineTool, type Tool, type ToolEffect } from '../../src/toolsets/define-tool.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import type { SessionManager } from '../../src/session/session-manager.js';
import { connectClient, listTools } from './list-tools.js';

function tool(name: string, effect: ToolEffect, handle: () => Promise<string> = async () => 'done'): Tool {
  return defineTool({
    name,
    title: `The ${name}`,
    description: `Does ${name}.`,
    effect,
    input: z.strictObject({ word: z.string().optional() }),
    handle,
  });
}

/** Nothing in these tests comes as far as using it. */
const loadDependencies = async () => ({ sessions: {} as SessionManager, maxWaitMs: 0 });

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
      { name: 'make', title: 'The make', annotations: { readOnlyHint: false, destructiveHint: false } },
      { name: 'end', title: 'The end', annotations: { readOnlyHint: false, destructiveHint: true } },
    ]);
  });

  it('lets no tool but watching run unasked', async () => {
    const listed = await listTools(asyncTools);

    const readOnly = listed.filter(({ annotations }) => annotations?.readOnlyHint === true);
    expect(readOnly.map(({ name }) => name)).toEqual(['claude_code_check']);
  });

  it('tells when somebody has asked for the tools', async () => {
    let listings = 0;
    const client = await connectClient({
      tools: [tool('look', 'read')],
      onToolsListed: () => (listings += 1),
    });
    expect(listings).toBe(0);

    await client.listTools();

    expect(listings).toBeGreaterThan(0);
  });

  it('answers a call with the text of the tool', async () => {
    const client = await connectClient({ tools: [tool('look', 'read')], loadDependencies });

    const answer = await client.callTool({ name: 'look', arguments: { word: 'x' } });

    expect(answer.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(answer.isError).toBeUndefined();
  });

  it('answers a wrong argument in its own words', async () => {
    const client = await connectClient({ tools: [tool('look', 'read')], loadDependencies });

    const answer = await client.callTool({ name: 'look', arguments: { wrod: 'x' } });

    expect(answer).toMatchObject({
      isError: true,
      content: [
        {
          text: 'Error [INVALID_ARGUMENT]: unknown key "wrod"; known: word. Correct the arguments and call again.',
        },
      ],
    });
  });

  it('serves no tools where it must not', async () => {
    expect(await listTools([])).toEqual([]);
  });
});

describe('the instructions', () => {
  it('are short enough for every client', () => {
    expect(instructions.length).toBeLessThan(1_200);
    expect(nestedInstructions.length).toBeLessThan(1_200);
  });

  it('name every tool, and say that results are no instructions', () => {
    for (const { name } of asyncTools) expect(instructions).toContain(name);
    expect(instructions).toContain('never instructions');
    expect(instructions).toContain('never an approval');
  });
});
