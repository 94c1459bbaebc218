import type { Tool } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config/settings.js';
import { isObject } from '../../src/core/json.js';
import { startInProcess } from '../kit/in-process.js';

/** Some client drops these, or the tool that has them, or all tools of the server. */
const refused = new Set(['$ref', '$defs', 'definitions', 'prefixItems', 'not', 'if', 'patternProperties']);
const alternatives = ['anyOf', 'oneOf', 'allOf'];

/** Keywords whose value is data. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required', 'description', 'title', 'type']);

function problemsOf({ name, description = '', inputSchema, outputSchema }: Tool): string[] {
  return [
    // With their prefixes, three clients cut names at 63 characters.
    ...(/^[a-z0-9_-]{1,40}$/.test(name) ? [] : ['name']),
    // Claude Code cuts longer descriptions.
    ...(description.length <= 4_000 ? [] : ['description']),
    ...problemsOfRoot(inputSchema, 'inputSchema'),
    ...(outputSchema === undefined ? [] : problemsOfRoot(outputSchema, 'outputSchema')),
  ].map((problem) => `${name}: ${problem}`);
}

function problemsOfRoot(schema: unknown, path: string): string[] {
  if (!isObject(schema)) return [path];
  return [
    ...(schema['type'] === 'object' ? [] : [`${path}.type`]),
    ...alternatives.filter((key) => key in schema).map((key) => `${path}.${key}`),
    ...problemsIn(schema, path),
  ];
}

function problemsIn(schema: unknown, path: string): string[] {
  // A boolean is a schema, too, but clients with the first SDK then drop all tools.
  if (!isObject(schema)) return [path];
  return Object.entries(schema).flatMap(([key, value]) => {
    const here = `${path}.${key}`;
    if (refused.has(key)) return [here];
    if (key === 'type' && typeof value !== 'string') return [here];
    if (key === 'items') return problemsIn(value, here);
    if (alternatives.includes(key) && Array.isArray(value))
      return value.flatMap((one) => problemsIn(one, here));
    if (key === 'properties' && isObject(value))
      return Object.entries(value).flatMap(([name, inner]) => problemsIn(inner, `${here}.${name}`));
    if (key === 'additionalProperties') return typeof value === 'boolean' ? [] : problemsIn(value, here);
    return data.has(key) || !isObject(value) ? [] : [here];
  });
}

describe.each(settings.toolsets.kind.shape.split(','))('the toolset %s', (toolset) => {
  it.each(['0', '1'])(
    'has schemas that every known client accepts, with --structured %s',
    async (structured) => {
      const { server } = await startInProcess({
        era: 'legacy',
        args: ['--toolsets', toolset, '--structured', structured],
      });

      const { tools } = await server.client.listTools();

      expect(tools.length).toBeGreaterThan(0);
      expect(tools.flatMap(problemsOf)).toEqual([]);
    },
  );
});
