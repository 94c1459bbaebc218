import { howToTrust } from '../terminal/how-to-trust.js';
import type { Finding } from './check.js';

export interface FolderFacts {
  /** That of sessions whose caller names none. */
  readonly folder: string;
  /** It is the home folder or contains it, and sessions may not work there. */
  readonly isTooWide: boolean;
  /** The operator allows sessions in other folders only. */
  readonly isOutside: boolean;
  readonly isTrusted: boolean;
  /** Files of the folder that only sessions in a trusted folder load. */
  readonly projectFiles: readonly string[];
  /** Folders above with settings or servers of their own. Unless they are trusted as well, nothing is loaded. */
  readonly untrustedAbove: readonly string[];
}

/** Whether sessions can work in the folder, and whether they load its project files. */
export function checkFolder(facts: FolderFacts): Finding {
  const { folder, isTooWide, isOutside, isTrusted, projectFiles, untrustedAbove } = facts;
  const id = 'trust';
  if (isTooWide)
    return {
      id: 'folder',
      status: 'warn',
      message: `Sessions cannot work in ${folder}, because it contains your whole home folder.`,
      fix: 'Run doctor in a project. For calls without cwd, set CLAUDE_CODE_DEFAULT_CWD to a project.',
    };
  if (isOutside)
    return {
      id: 'folder',
      status: 'warn',
      message: `Sessions cannot work in ${folder}, because it is outside CLAUDE_CODE_MCP_ROOTS.`,
      fix: 'Run doctor in one of those folders, or add this one.',
    };
  const [above] = untrustedAbove;
  if (isTrusted && above !== undefined)
    return {
      id,
      status: 'warn',
      message: `${folder} is trusted, but ${above} is not, and it has settings, agents, skills or MCP servers for this folder. So sessions load no project files.`,
      fix: `If you trust it, ${howToTrust(above)}`,
    };
  if (isTrusted)
    return {
      id,
      status: 'ok',
      message:
        projectFiles.length === 0
          ? `${folder} is trusted.`
          : `${folder} is trusted. Sessions load ${projectFiles.join(', ')}.`,
    };
  if (projectFiles.length === 0)
    return { id, status: 'ok', message: `${folder} is not trusted, and has no project files to skip.` };
  return {
    id,
    status: 'warn',
    message: `${folder} is not trusted, so sessions skip ${projectFiles.join(', ')}.`,
    fix: 'If you trust these files, run: claude-code-mcp trust .',
  };
}
