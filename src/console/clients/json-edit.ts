/**
 * Edits of JSON that leave everything else in its place. The parser finds the places. Its own editing functions are not
 * used, because they also reformat neighboring entries.
 */
import { createScanner, parseTree, type Node } from 'jsonc-parser';
import { isObject } from '../../core/json.js';
import { applyEdits, beginsLine, indentOf, lineEndOf, type TextEdit } from './text-edit.js';

type Path = readonly string[];

/** Sets a value and creates the objects that lead to it. */
export function setInJson(text: string, path: Path, value: unknown): string {
  const root = treeOf(text);
  if (root === undefined)
    return printed(nested(path, value), { indent: '', unit: '  ', lineEnd: '\n' }) + '\n';
  let node = root;
  for (const [index, key] of path.entries()) {
    const inner = propertyOf(node, key)?.children?.[1];
    if (inner === undefined) return insertProperty(text, { root, parent: node }, path.slice(index), value);
    node = inner;
  }
  const style = { indent: indentOf(text, node.offset), unit: unitOf(text, root), lineEnd: lineEndOf(text) };
  return applyEdits(text, [{ start: node.offset, end: endOf(node), text: printed(value, style) }]);
}

/** Removes a property that exists. */
export function removeFromJson(text: string, path: Path): string {
  const parent = nodeAt(treeOf(text), path.slice(0, -1));
  const property = parent && propertyOf(parent, path.at(-1) ?? '');
  if (parent === undefined || property === undefined) return text;
  const all = parent.children ?? [];
  const index = all.indexOf(property);
  const next = all[index + 1];
  const before = gapAfter(text, all[index - 1] ?? parent.offset + 1, property.offset);
  const after = gapAfter(text, property, next?.offset ?? endOf(parent) - 1);
  const edits: TextEdit[] = [{ start: before.end, end: after.comma ?? endOf(property), text: '' }];
  // The comma that separated them.
  if (after.comma === undefined && before.comma !== undefined)
    edits.unshift({ start: before.comma - 1, end: before.comma, text: '' });
  return collapsed(applyEdits(text, edits), parent.offset);
}

function nodeAt(root: Node | undefined, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => node && propertyOf(node, key)?.children?.[1], root);
}

/** Otherwise an object that has become empty would keep its lines. */
function collapsed(text: string, offset: number): string {
  const empty = /^\{\s*\}/.exec(text.slice(offset));
  return empty === null ? text : `${text.slice(0, offset)}{}${text.slice(offset + empty[0].length)}`;
}

function insertProperty(
  text: string,
  { root, parent }: { root: Node; parent: Node },
  [key = '', ...inner]: Path,
  value: unknown,
): string {
  const all = parent.children ?? [];
  const last = all.at(-1);
  const closing = endOf(parent) - 1;
  const gap = gapAfter(text, last ?? parent.offset + 1, closing);
  const lineEnd = lineEndOf(text);
  const unit = unitOf(text, root);
  const own = all.findLast(({ offset }) => beginsLine(text, offset));
  const outside = indentOf(text, parent.offset);
  const indent = own === undefined ? outside + unit : indentOf(text, own.offset);
  const isClosedOnOwnLine = text.slice(gap.end, closing).includes('\n');
  const property = `${JSON.stringify(key)}: ${printed(nested(inner, value), { indent, unit, lineEnd })}`;
  return applyEdits(text, [
    ...(last === undefined || gap.comma !== undefined
      ? []
      : [{ start: endOf(last), end: endOf(last), text: ',' }]),
    {
      start: gap.end,
      end: isClosedOnOwnLine ? gap.end : closing,
      text: `${lineEnd}${indent}${property}${gap.comma === undefined ? '' : ','}${isClosedOnOwnLine ? '' : lineEnd + outside}`,
    },
  ]);
}

/** What is between a value and the next: the end of the comma, and the end of everything that is not space. */
function gapAfter(
  text: string,
  begin: Node | number,
  limit: number,
): { readonly comma: number | undefined; readonly end: number } {
  const scanner = createScanner(text, false);
  let end = typeof begin === 'number' ? begin : endOf(begin);
  let comma: number | undefined;
  scanner.setPosition(end);
  for (scanner.scan(); scanner.getTokenOffset() < limit; scanner.scan()) {
    const tokenEnd = scanner.getTokenOffset() + scanner.getTokenLength();
    const token = text.slice(scanner.getTokenOffset(), tokenEnd);
    if (token.trim() === '') continue;
    end = tokenEnd;
    if (token === ',') comma = end;
  }
  return { comma, end };
}

function treeOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

/** Of several with the same name, readers take the last. */
function propertyOf(node: Node, key: string): Node | undefined {
  return node.children?.findLast(({ children }) => children?.[0]?.value === key);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** One level of indentation, as the file has it. */
function unitOf(text: string, root: Node): string {
  const first = root.children?.find(({ offset }) => beginsLine(text, offset));
  const indent =
    first === undefined ? '' : indentOf(text, first.offset).slice(indentOf(text, root.offset).length);
  return indent === '' ? '  ' : indent;
}

function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

interface Style {
  readonly indent: string;
  readonly unit: string;
  readonly lineEnd: string;
}

/** Objects with one line per key, and lists in one line, as people write them in these files. */
function printed(value: unknown, { indent, unit, lineEnd }: Style): string {
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const deeper = indent + unit;
  const lines = Object.entries(value).map(
    ([key, inner]) => `${deeper}${JSON.stringify(key)}: ${printed(inner, { indent: deeper, unit, lineEnd })}`,
  );
  return `{${lineEnd}${lines.join(`,${lineEnd}`)}${lineEnd}${indent}}`;
}
