import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { checkRespondsTools } from '../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { codexTools } from '../../src/toolsets/codex/index.js';
import { configureTools } from '../../src/toolsets/configure/index.js';
import { queryTools } from '../../src/toolsets/query/index.js';
import { sessionsTools } from '../../src/toolsets/sessions/index.js';

const maxExecutionMs = 300_000;

/** Every key of a JSON Schema, at any depth. */
function keysIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as { readonly properties?: Record<string, unknown> };
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), ...Object.values(rest)].flatMap(keysIn),
  ];
}

/** As code, or as a key in an example. */
function mentions(page: string, key: string): boolean {
  return new RegExp(`\`(?:[^\`\\n]*\\W)?${key}(?:\\W[^\`\\n]*)?\`|"${key}":`).test(page);
}

it.each([
  ['async', [...asyncTools, ...checkRespondsTools]],
  ['sessions', sessionsTools],
  ['query', queryTools({ maxExecutionMs, async: asyncVocabulary })],
  ['configure', configureTools],
  ['codex', codexTools({ maxExecutionMs })],
])('the reference of %s names every key of its answers', (toolset, tools) => {
  const guide = toolset === 'query' ? readFileSync('docs/query.md', 'utf8') : '';
  const page = readFileSync(`docs/tools/${toolset}.md`, 'utf8') + guide;
  const keys = new Set(tools.flatMap((tool) => keysIn(z.toJSONSchema(tool.output()))));

  expect([...keys].filter((key) => !mentions(page, key))).toEqual([]);
  expect(keys.size).toBeGreaterThan(1);
});
