import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Files and folders of a project that Claude Code loads only if the user trusts the folder. See docs/project-files.md. */
const projectFiles: readonly string[] = [
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  '.claude/AGENTS.md',
  '.claude/rules',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.claude/skills',
  '.claude/commands',
  '.claude/agents',
  '.claude/workflows',
  '.claude/output-styles',
  '.claude/scheduled_tasks.json',
  '.claude/agent-memory',
  '.claude/agent-memory-local',
];

/** Those that this folder has. */
export async function findProjectFiles(folder: string): Promise<readonly string[]> {
  const found = await Promise.all(
    projectFiles.map((name) =>
      access(join(folder, name)).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return found.flat();
}
