import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { homes, layers } from './layers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));
const folders = [...new Set(files.flatMap((file) => ancestorsOf(folderOf(file))))].toSorted();

const maxFilesPerFolder = 20;
const maxLinesPerFile = 400;

describe('layers', () => {
  it('allow every import in src', () => {
    const violations = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !mayImport(file, specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );

    expect(violations).toEqual([]);
  });

  it('have a row for every folder, and no row without a folder', () => {
    expect(Object.keys(layers).toSorted()).toEqual(folders);
  });

  it('have no import cycle between folders at any depth', () => {
    expect(cycles()).toEqual([]);
  });

  it.each([
    ['toolsets/shared/x.ts', '../../backends/agent-sdk/backend.js'],
    ['toolsets/async/x.ts', '../../session/../policy/folders.js'],
    ['toolsets/async/x.ts', '../sessions/brief.js'],
    ['toolsets/async/x.ts', '../../session/turn/turn-loop.js'],
    ['toolsets/async/x.ts', '../../app/compose-sessions.js'],
    ['session/budget/x.ts', '../turn/turn-loop.js'],
    ['session/session.ts', '../sessions/session-manager.js'],
    ['backends/cli/x.ts', '../agent-sdk/backend.js'],
    ['backends/cli/x.ts', '@anthropic-ai/claude-agent-sdk'],
    ['inputs/x.ts', 'node:child_process'],
    ['core/x.ts', 'node:fs'],
    ['transports/x.ts', '../toolsets/shared/define-tool.js'],
    ['commands/x.ts', '../sessions/session-manager.js'],
    ['sessions/x.ts', 'prom-client'],
    ['mcp/x.ts', 'node:http'],
  ])('forbid %s to import %s', (file, specifier) => {
    expect(mayImport(file, specifier)).toBe(false);
  });
});

it('tells files apart by all 64 bits of their numbers, which Windows uses', () => {
  const reading = files.filter((file) => /\bino\b/.test(read(file)));
  const rounded = reading.filter((file) => !/bigint: true/.test(read(file)));

  expect(reading.length).toBeGreaterThan(3);
  expect(rounded).toEqual([]);
});

it('takes the words of an answer from the call, because services and commands change the vocabulary of a toolset', () => {
  const using = files.filter(
    (file) => file.startsWith('toolsets/') && /import \{[^}]*\b[a-z]\w*Vocabulary\b/.test(read(file)),
  );
  const answering = using.filter((file) => !/\bserve\(/.test(read(file)));

  expect(using.length).toBeGreaterThan(3);
  expect(answering).toEqual([]);
});

describe('rooms', () => {
  it(`contain at most ${maxFilesPerFolder} files`, () => {
    const crowded = folders.filter(
      (folder) => files.filter((file) => folderOf(file) === folder).length > maxFilesPerFolder,
    );

    expect(crowded).toEqual([]);
  });

  it(`contain no file of more than ${maxLinesPerFile} lines`, () => {
    const long = files.filter((file) => read(file).split('\n').length > maxLinesPerFile + 1);

    expect(long).toEqual([]);
  });

  it('match the tree in docs/architecture.md', () => {
    const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

    expect(foldersInTree(page)).toEqual(folders);
  });
});

function read(file: string): string {
  return readFileSync(join(source, file), 'utf8');
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier = '']) => specifier,
  );
}

function folderOf(file: string): string {
  return dirname(file);
}

function ancestorsOf(folder: string): string[] {
  return folder === '.' ? [] : [...ancestorsOf(dirname(folder)), folder];
}

function mayImport(file: string, specifier: string): boolean {
  const folder = folderOf(file);
  if (!specifier.startsWith('.')) {
    const home = homes.find(([pattern]) => pattern.test(specifier));
    return home === undefined || home[1].some((room) => isIn(folder, room));
  }
  const target = targetFolder(file, specifier);
  return target === folder || rowOf(folder).some((pattern) => matches(target, pattern));
}

function targetFolder(file: string, specifier: string): string {
  return folderOf(relative(source, join(source, folderOf(file), specifier)).replaceAll('\\', '/'));
}

/** The folder's own row and the rows of its parent folders, without grants inside the same room: those do not inherit. */
function rowOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  const own = layers[folder] ?? [];
  if (parent === '.') return own;
  const inherited = rowOf(parent).filter((pattern) => !isIn(pattern, roomOf(folder)));
  return [...own, ...inherited];
}

function roomOf(folder: string): string {
  return folder.split('/')[0] ?? '';
}

function matches(folder: string, pattern: string): boolean {
  if (pattern === '**') return true;
  return pattern.endsWith('/**') ? isIn(folder, pattern.slice(0, -3)) : folder === pattern;
}

function isIn(folder: string, room: string): boolean {
  return folder === room || folder.startsWith(`${room}/`);
}

/** Folders that can reach themselves through imports. */
function cycles(): string[] {
  const edges = new Map(folders.map((folder) => [folder, new Set<string>()]));
  for (const file of files) {
    for (const specifier of importsOf(file).filter((path) => path.startsWith('.'))) {
      const target = targetFolder(file, specifier);
      if (target !== folderOf(file)) edges.get(folderOf(file))?.add(target);
    }
  }
  return folders.filter((folder) => reaches(folder, folder, edges));
}

function reaches(from: string, goal: string, edges: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const left = [...(edges.get(from) ?? [])];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    if (folder === goal) return true;
    if (seen.has(folder)) continue;
    seen.add(folder);
    left.push(...(edges.get(folder) ?? []));
  }
  return false;
}

/** The folders in the tree below `src/`, in the first text block of the page. Each level is indented by two spaces. */
function foldersInTree(page: string): string[] {
  const [, tree = ''] = /```text\nsrc\/\n([\s\S]*?)```/.exec(page) ?? [];
  const path: string[] = [];
  return tree
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', name] = /^( *)([\w-]+)\/( |$)/.exec(line) ?? [];
      if (name === undefined) return [];
      path.length = indent.length / 2 - 1;
      path.push(name);
      return [path.join('/')];
    })
    .toSorted();
}
