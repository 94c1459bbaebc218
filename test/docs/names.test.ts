import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ownVariables } from '../../src/config/settings.js';
import { pages } from './pages.js';

const guides = pages.filter(({ path }) => path === 'README.md' || path.startsWith('docs/guides/'));

/** Keys of a tool, by its name. Other tests compare these files with what the server lists. */
function keysOf(tool: string): readonly string[] | undefined {
  const file = `test/__toolsnaps__/${tool}.snap`;
  if (!existsSync(file)) return undefined;
  const { inputSchema } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly inputSchema: { readonly properties: object };
  };
  return Object.keys(inputSchema.properties);
}

it('the calls in the guides use tools and keys that exist', () => {
  const calls = guides.flatMap(({ path, text }) =>
    [...text.matchAll(/^(claude_\w+) (\{.*\})$/gm)].map(([, tool = '', json = '']) => ({
      path,
      tool,
      unknown: Object.keys(JSON.parse(json) as object).filter((key) => keysOf(tool)?.includes(key) !== true),
    })),
  );

  expect(calls.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
  expect(calls.length).toBeGreaterThan(15);
});

it('the guides name settings that exist', () => {
  const named = guides.flatMap(({ text }) => text.match(/\bCLAUDE_CODE_\w+/g) ?? []);
  const known = new Set([...ownVariables, 'CLAUDE_CODE_GIT_BASH_PATH']);

  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(40);
});
