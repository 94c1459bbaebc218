import type { Finding } from './check.js';

export interface TrustFacts {
  readonly folder: string;
  readonly isTrusted: boolean;
  /** Files of the folder that only sessions in a trusted folder load. */
  readonly projectFiles: readonly string[];
}

export function checkTrust({ folder, isTrusted, projectFiles }: TrustFacts): Finding {
  const id = 'trust';
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
