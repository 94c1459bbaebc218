import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** What each room may import of the others. The linter checks the same by patterns; this one resolves every path. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  core: [],
  policy: ['core'],
  inputs: ['core'],
  events: ['core'],
  history: ['core'],
  platform: ['core'],
  observability: ['core'],
  config: ['core'],
  backends: ['core'],
  session: ['core', 'policy', 'inputs', 'events', 'history'],
  toolsets: ['core', 'inputs', 'events', 'session'],
  mcp: ['core', 'toolsets'],
  transports: ['core'],
  commands: ['core', 'config', 'observability'],
};

/** Packages and built-ins that have one home, or a few. */
const homes: readonly [RegExp, readonly string[]][] = [
  [/^@anthropic-ai\//, ['backends']],
  [/^@modelcontextprotocol\//, ['mcp', 'transports']],
  [/^(node:)?child_process$/, ['backends', 'platform']],
  [
    /^(node:)?fs(\/promises)?$/,
    ['session', 'history', 'platform', 'backends', 'config', 'observability', 'commands', '.'],
  ],
  [/^(node:)?https?$/, ['backends', 'observability']],
  [/^prom-client$/, ['observability']],
  [/^node:process$/, ['mcp']],
];

const source = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '');
}

function roomOf(path: string): string {
  const [room = '.', ...rest] = path.split(/[\\/]/);
  return rest.length === 0 ? '.' : room;
}

function violations(): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file);
    return importsOf(file)
      .filter((specifier) => !isAllowed(room, file, specifier))
      .map((specifier) => `${file} imports ${specifier}`);
  });
}

function isAllowed(room: string, file: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) {
    const home = homes.find(([pattern]) => pattern.test(specifier));
    return home === undefined || home[1].includes(room);
  }
  const target = roomOf(relative(source, join(source, dirname(file), specifier)));
  // bin and the composition root may know every room; nobody may know them.
  if (room === '.' || room === 'bin') return true;
  return target === room || (rooms[room]?.includes(target) ?? false);
}

describe('the rooms of the house', () => {
  it('import only what they may', () => {
    expect(violations()).toEqual([]);
  });

  it('have backends that know what they share, and not each other', () => {
    const crossings = files
      .filter((file) => roomOf(file) === 'backends')
      .flatMap((file) => importsOf(file).map((specifier) => [file, specifier] as const))
      .filter(([file, specifier]) => {
        const own = file.split(/[\\/]/)[1];
        if (!specifier.startsWith('.')) return specifier.startsWith('@anthropic-ai/') && own !== 'agent-sdk';
        const [room, target] = relative(source, join(source, dirname(file), specifier)).split(/[\\/]/);
        return room === 'backends' && target !== own && target !== 'shared';
      });

    expect(crossings).toEqual([]);
  });

  it('are all in the table', () => {
    const found = new Set(files.map(roomOf).filter((room) => room !== '.' && room !== 'bin'));

    expect([...found].toSorted()).toEqual(Object.keys(rooms).toSorted());
  });

  it.each([
    ['toolsets', 'toolsets/x.ts', '../backends/agent-sdk/backend.js'],
    ['toolsets', 'toolsets/async/x.ts', '../../session/../policy/folders.js'],
    ['toolsets', 'toolsets/async/x.ts', '../../compose-sessions.js'],
    ['inputs', 'inputs/x.ts', 'node:child_process'],
    ['core', 'core/x.ts', 'node:fs'],
    ['session', 'session/x.ts', '@anthropic-ai/claude-agent-sdk'],
    ['transports', 'transports/x.ts', '../toolsets/define-tool.js'],
    ['commands', 'commands/x.ts', '../session/session-manager.js'],
    ['session', 'session/x.ts', '../commands/config.js'],
    ['session', 'session/x.ts', 'prom-client'],
    ['mcp', 'mcp/x.ts', 'node:http'],
  ])('would not let %s have %s import %s', (room, file, specifier) => {
    expect(isAllowed(room, file, specifier)).toBe(false);
  });
});
