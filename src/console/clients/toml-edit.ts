/**
 * Edits of TOML that leave everything else in its place. The parser finds the places. Editors that write a changed value
 * back were tried: they lose comments after a removed table and change the indentation of others.
 */
import { parseTOML, type AST } from 'toml-eslint-parser';
import { applyEdits, lineEndOf, type TextEdit } from './text-edit.js';
import type { Entry } from './client.js';
import { CannotEditError } from './cannot-edit.js';

type Path = readonly string[];

/** Adds a table at the end, where it cannot come between a table and its keys. */
export function appendTable(text: string, path: Path, entry: Entry): string {
  const lineEnd = lineEndOf(text);
  const lines = Object.entries(entry).map(([key, value]) => `${keyOf(key)} = ${valueOf(value)}`);
  const block = [`[${path.map(keyOf).join('.')}]`, ...lines].join(lineEnd);
  if (text === '') return `${block}${lineEnd}`;
  // An empty line between them. The last line ends as it did before.
  return text.endsWith('\n') ? `${text}${lineEnd}${block}${lineEnd}` : `${text}${lineEnd}${lineEnd}${block}`;
}

/** Sets a key of a table that exists. */
export function setInToml(text: string, path: Path, value: Entry[string]): string {
  const items = itemsOf(text);
  const existing = items.find((item) => item.type === 'TOMLKeyValue' && isAt(item, path));
  if (existing?.type === 'TOMLKeyValue') {
    const [start, end] = existing.value.range;
    return applyEdits(text, [{ start, end, text: valueOf(value) }]);
  }
  const table = items.find((item) => item.type === 'TOMLTable' && isAt(item, path.slice(0, -1)));
  if (table === undefined) throw new CannotEditError('The entry has no table of its own.');
  const end = lineEndAfter(text, table.range[1]);
  const line = `${lineEndOf(text)}${keyOf(path.at(-1) ?? '')} = ${valueOf(value)}`;
  return applyEdits(text, [{ start: end, end, text: line }]);
}

/** Removes all tables and keys at or below a path, with the empty line before each. */
export function removeFromToml(text: string, path: Path): string {
  const removed = itemsOf(text).filter((item) => startsWith(pathOf(item), path));
  if (removed.length === 0) throw new CannotEditError('The entry is part of an inline table.');
  const tables = removed.filter(({ type }) => type === 'TOMLTable');
  const others = removed.filter((item) => !tables.some((table) => item !== table && contains(table, item)));
  return applyEdits(
    text,
    others.map((item) => wholeLines(text, item)),
  );
}

type Item = AST.TOMLTable | AST.TOMLKeyValue;

/** All tables and their keys, but not those of inline tables. */
function itemsOf(text: string): readonly Item[] {
  const [top] = parseTOML(text).body;
  return top.body.flatMap((item): Item[] => (item.type === 'TOMLTable' ? [item, ...item.body] : [item]));
}

function pathOf(item: Item): readonly (string | number)[] {
  if (item.type === 'TOMLTable') return item.resolvedKey;
  const { parent } = item;
  const own = item.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
  return [...(parent.type === 'TOMLTable' ? parent.resolvedKey : []), ...own];
}

function isAt(item: Item, path: Path): boolean {
  const own = pathOf(item);
  return own.length === path.length && startsWith(own, path);
}

function startsWith(path: readonly (string | number)[], beginning: Path): boolean {
  return beginning.every((key, index) => path[index] === key);
}

function contains(outer: Item, inner: Item): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

function wholeLines(text: string, { range: [start, end] }: Item): TextEdit {
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = lineEndAfter(text, end);
  const blank = /\r?\n$/.exec(/(^|\n)[ \t]*\r?\n$/.exec(text.slice(0, begin))?.[0] ?? '')?.[0].length ?? 0;
  if (lineEnd < text.length) return { start: begin - blank, end: text.indexOf('\n', lineEnd) + 1, text: '' };
  // It ends the file without a line end, and so shall the line before it.
  const previous = /\r?\n$/.exec(text.slice(0, begin - blank))?.[0].length ?? 0;
  return { start: begin - blank - previous, end: lineEnd, text: '' };
}

function lineEndAfter(text: string, offset: number): number {
  const next = /\r?\n/g;
  next.lastIndex = offset;
  return next.exec(text)?.index ?? text.length;
}

function keyOf(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Strings of JSON are strings of TOML, except for one character that must be escaped. */
function valueOf(value: Entry[string]): string {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string'
    ? JSON.stringify(value).replaceAll('\u007F', '\\u007F')
    : `[${value.map(valueOf).join(', ')}]`;
}
