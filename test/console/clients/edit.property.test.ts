import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Client } from '../../../src/console/clients/client.js';
import { withEntry, withoutEntry } from '../../../src/console/clients/edit.js';
import { parseConfig } from '../../../src/console/clients/parse.js';
import { stateOf } from '../../../src/console/clients/state.js';
import { clients } from '../../../src/console/clients/table.js';

const launch = { command: 'npx', args: ['-y', 'mcp-server-claude-code'] };

const space = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n  ',
  '\t',
  '\r\n',
  ' /* c1 */ ',
  ' // c2\n',
  '\n\n  // c3 "{\n',
);
const name = fc.constantFrom('a', 'b', 'é"\\', 'mcpServers', '//', '');

const { value } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('1', '-2.5e3', 'true', 'null', '"x"', '"{\\"//"'),
    tie('object'),
    tie('list'),
  ),
  list: items('[', tie('value'), ']'),
  object: items('{', property(tie('value')), '}'),
}));

function items(open: string, item: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(space, item, space), { maxLength: 3 }), fc.boolean(), space)
    .map(([parts, isTrailing, end]) => {
      const inside = parts.map((part) => part.join('')).join(',');
      return `${open}${inside}${isTrailing && parts.length > 0 ? ',' : ''}${end}${close}`;
    });
}

function property(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(name, space, inner).map(([key, gap, text]) => `${JSON.stringify(key)}${gap}:${gap}${text}`);
}

const servers = items('{', property(items('{', property(value), '}')), '}');
const jsonText = fc
  .tuple(
    space,
    items(
      '{',
      fc.oneof(
        property(value),
        servers.map((text) => `"mcpServers": ${text}`),
      ),
      '}',
    ),
    space,
  )
  .map((parts) => parts.join(''));

const tomlLine = fc.constantFrom(
  '',
  '  ',
  '# c',
  '[a]',
  '  [a.b] # d',
  '[[l]]',
  'k = 1',
  '\tm = "x # y" # z',
  'n = [ 1,',
  '  2 ] # o',
  '[mcp_servers]',
  '[mcp_servers.other]',
  '[mcp_servers."x y".env]',
  'mcp_servers.dotted.command = "x"',
  'other = { command = "x" }',
);
const tomlText = fc
  .tuple(fc.array(tomlLine, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, lineEnd, isEnded]) => lines.join(lineEnd) + (isEnded ? lineEnd : ''));

it.each([
  ['JSON', clients.cursor, jsonText],
  ['TOML', clients.codex, tomlText],
])('installing and uninstalling restores any file of %s, byte for byte', (_format, client: Client, text) => {
  let tried = 0;
  fc.assert(
    fc.property(text, (before) => {
      fc.pre(stateOf(client, before).kind === 'absent');
      const after = withEntry(client, before, launch);
      tried += 1;

      const removed = withoutEntry(client, after);

      expect({
        state: stateOf(client, after).kind,
        restored: withoutEntry(client, after, before),
        comments: commentsOf(removed),
        meaning: withoutEmpty(parseConfig(client.format, removed)),
      }).toEqual({
        state: 'configured',
        restored: before,
        comments: commentsOf(before),
        meaning: withoutEmpty(parseConfig(client.format, before)),
      });
    }),
    { numRuns: 60 },
  );
  expect(tried).toBeGreaterThan(0);
});

it('removing the table from TOML restores the bytes without a backup', () => {
  fc.assert(
    fc.property(tomlText, (before) => {
      fc.pre(stateOf(clients.codex, before).kind === 'absent');

      expect(withoutEntry(clients.codex, withEntry(clients.codex, before, launch))).toBe(before);
    }),
    { numRuns: 60 },
  );
});

function commentsOf(text: string): readonly string[] {
  return text.match(/c[123] ?|# ?[a-z]/g) ?? [];
}

function withoutEmpty({
  mcpServers,
  mcp_servers: tables,
  ...others
}: Readonly<Record<string, unknown>>): object {
  return { ...others, servers: { ...((mcpServers ?? tables) as object | undefined) } };
}
