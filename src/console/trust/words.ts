import { oneLine } from '../../core/text/escape.js';
import type { ProjectContent } from '../../history/settings/project-contents.js';
import { shortFolder } from '../terminal/amounts.js';
import type { Paint } from '../terminal/paint.js';
import { pad, widthOf } from '../terminal/width.js';

/** What becomes active in a folder, for the person who decides. */
export function contentsText(folder: string, contents: readonly ProjectContent[], paint: Paint): string {
  const name = oneLine(folder, 300);
  if (contents.length === 0)
    return `${paint('bold', name)} has no settings, instructions or servers for Claude Code now. Files that are added later will be active.\n`;
  const rows = contents.map(({ path, does, names, isActive }) => {
    // All of them: the seventh variable can be the one that runs a program.
    const what = names.length === 0 ? does : `${does}: ${names.map((one) => oneLine(one, 60)).join(', ')}`;
    return { path, what, isActive };
  });
  const width = Math.max(...rows.map(({ path }) => widthOf(path)));
  const lines = rows.map(
    ({ path, what, isActive }) => `  ${isActive ? paint('yellow', '!') : ' '} ${pad(path, width)}  ${what}\n`,
  );
  const legend = rows.some(({ isActive }) => isActive)
    ? `${paint('yellow', '!')} can run programs on this machine without asking.\n`
    : '';
  return `Sessions in ${paint('bold', name)} would load:\n\n${lines.join('')}\n${legend}Files that are added later will be active, too.\n`;
}

export interface TrustedFolder {
  readonly folder: string;
  readonly exists: boolean;
}

export function trustedText(
  trusted: readonly TrustedFolder[],
  roots: readonly string[],
  { paint, home }: { readonly paint: Paint; readonly home: string },
): string {
  const lines = [
    ...trusted.map(
      ({ folder, exists }) =>
        `${shortFolder(oneLine(folder, 300), home)}${exists ? '' : paint('dim', ' (does not exist)')}\n`,
    ),
    ...roots.map(
      (root) =>
        `${shortFolder(oneLine(root, 300), home)} ${paint('dim', 'and all folders below it (setting trustedRoots)')}\n`,
    ),
  ];
  if (lines.length > 0) return lines.join('');
  return 'No folder is trusted. Run claude-code-mcp trust <folder> to load its CLAUDE.md, settings and MCP servers.\n';
}

/** Folders above that also contribute settings, so that trusting this one alone has no effect. */
export function alsoNeededText(folders: readonly string[]): string {
  return folders
    .map(
      (folder) =>
        `Sessions would also load settings, agents, skills or MCP servers of ${oneLine(folder, 300)}, which is not trusted. Until it is, nothing is loaded.\n`,
    )
    .join('');
}
