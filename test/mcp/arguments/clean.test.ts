import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cleanArguments } from '../../../src/mcp/arguments/clean.js';
import { claudeCode } from '../../../src/toolsets/async/start.js';

const schema = z.strictObject({
  prompt: z.string(),
  model: z.string().optional(),
  advanced: z
    .strictObject({ effort: z.string().optional(), tools: z.array(z.string()).optional() })
    .optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
});

function numbered(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
}

describe('arguments of very many objects', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, {}]));

  it('are refused before any of them is judged', () => {
    const args = { prompt: 'x', advanced: { mcpServers: many } };

    expect(() => cleanArguments(args, claudeCode.input)).toThrow('more than 1000 objects');
  });

  it.each([
    ['servers', { mcpServers: numbered(2_001) }],
    ['agents', { agents: numbered(2_001) }],
    ['variables', { env: numbered(2_001) }],
    ['headers', { mcpServers: { s: { type: 'http', url: 'https://a.example/', headers: numbered(2_001) } } }],
    ['restrictions', { sandbox: { ignoreViolations: numbered(2_001) } }],
  ])('are refused in the same way if they are of no use: %s', (_, advanced) => {
    expect(() => cleanArguments({ prompt: 'x', advanced }, claudeCode.input)).toThrow(
      'more than 2000 named values',
    );
  });

  it('are passed on where a field takes anything', () => {
    const args = { prompt: 'x', updatedInput: many };

    expect(cleanArguments(args, schema)).toEqual(args);
  });
});

describe('cleaning', () => {
  it.each([
    ['nothing', { prompt: 'x', model: 'm' }, { prompt: 'x', model: 'm' }],
    ['null for what is optional', { prompt: 'x', model: null }, { prompt: 'x' }],
    [
      'null inside advanced',
      { prompt: 'x', advanced: { effort: null, tools: [] } },
      { prompt: 'x', advanced: { tools: [] } },
    ],
    ['advanced itself', { prompt: 'x', advanced: null }, { prompt: 'x' }],
    ['the key that some clients add', { prompt: 'x', wait_for_previous: true }, { prompt: 'x' }],
  ])('drops %s', (_, args, cleaned) => {
    expect(cleanArguments(args, schema)).toEqual(cleaned);
  });

  it('keeps a null inside the input of a tool, where it means null', () => {
    const args = { prompt: 'x', updatedInput: { a: null, b: { c: null } } };

    expect(cleanArguments(args, schema)).toEqual(args);
  });

  it('keeps an injected name where it is not at the top', () => {
    const args = { prompt: 'x', updatedInput: { wait_for_previous: true } };

    expect(cleanArguments(args, schema)).toEqual(args);
  });

  it('keeps what it does not know, so that it is refused later', () => {
    expect(cleanArguments({ prompt: 'x', modle: 'm', advanced: { efort: 1 } }, schema)).toEqual({
      prompt: 'x',
      modle: 'm',
      advanced: { efort: 1 },
    });
  });

  it.each([undefined, null, 'text', 7, [], ['x']])('takes %j for no arguments', (args) => {
    expect(cleanArguments(args, schema)).toEqual({});
  });

  it('leaves no null and no empty text at the places of our own schema, and changes nothing else', () => {
    const text = fc.oneof(fc.constantFrom(null, ''), fc.string());
    const list = fc.oneof(fc.constant(null), fc.array(fc.string()));
    const anyArguments = fc.record(
      { prompt: text, model: text, advanced: fc.record({ effort: text, tools: list }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyArguments, (args) => {
        const isOptional = (key: string): boolean => key === 'model' || key === 'effort';
        const withoutUnset: unknown = JSON.parse(
          JSON.stringify(args, (key, inner: unknown) =>
            inner === null || (inner === '' && isOptional(key)) ? undefined : inner,
          ),
        );

        expect(cleanArguments(args, schema)).toEqual(withoutUnset);
      }),
    );
  });

  it('does not follow names that every object has', () => {
    expect(cleanArguments({ prompt: 'x', constructor: { a: null } }, schema)).toEqual({
      prompt: 'x',
      constructor: { a: null },
    });
  });

  // The preset stands in a union, which is not looked into.
  it('drops null for the optional part of a system prompt', () => {
    const systemPrompt = { type: 'preset', preset: 'claude_code', append: null };

    const cleaned = cleanArguments({ prompt: 'x', systemPrompt }, claudeCode.input);

    expect(claudeCode.input.safeParse(cleaned).success).toBe(true);
  });
});
