import { toolOfRule } from '../../core/options/permission-rules.js';
import { isInside } from '../../core/paths.js';

const readingTools: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'LSP', 'NotebookRead']);
const editingTools: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

export function isReading(toolName: string): boolean {
  return readingTools.has(toolName);
}

export function isEditing(toolName: string): boolean {
  return editingTools.has(toolName);
}

/** Whether a rule could let this file tool run. Claude Code applies rules for editing to reading, too. */
export function mayCover(rule: string, toolName: string): boolean {
  const name = toolOfRule(rule);
  return name.includes('*') || editingTools.has(name) || (isReading(toolName) && readingTools.has(name));
}

/**
 * Whether a rule with a path is not certain to stay inside the folders. Claude Code compares real paths with the
 * pattern, and starts a relative pattern and one with a single slash at the working directory: those never leave it.
 * It applies the rule to every tool and command that reads.
 */
export function reachesOutside(rule: string, folders: readonly string[]): boolean {
  const pattern = fileWordsOf(rule);
  if (pattern === undefined) return false;
  if (!pattern.startsWith('//')) return !/^[^~:\\]*$/.test(pattern) || /(?:^|\/)\.\.(?:\/|$)/.test(pattern);
  const folder = folderOf(rule);
  return folder === undefined || !folders.some((inside) => isInside(folder, inside));
}

/** The folder that a rule with an absolute path is certain not to leave: `Read(//usr/include/**)` -> `/usr/include`. */
export function folderOf(rule: string): string | undefined {
  const pattern = fileWordsOf(rule);
  if (pattern?.startsWith('//') !== true || /[~:\\]|(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return undefined;
  const fixed = pattern.slice(1).split(/[*?[{!]/, 1)[0] ?? '';
  return fixed.slice(0, fixed.lastIndexOf('/')) || '/';
}

/** The file or folder that a rule covers as a whole; undefined if it covers only some of the files in a folder. */
export function wholePathOf(rule: string): string | undefined {
  if (folderOf(rule) === undefined) return undefined;
  const path =
    fileWordsOf(rule)
      ?.slice(1)
      .replace(/\/\*\*$/, '') ?? '';
  return /[*?[{!]/.test(path) ? undefined : path || '/';
}

/** The pattern of a rule about files; undefined for a bare tool and for other tools. */
function fileWordsOf(rule: string): string | undefined {
  const [, name = '', words] = /^([^(]*)\((.*)\)$/s.exec(rule) ?? [];
  return readingTools.has(name) || editingTools.has(name) ? words : undefined;
}
