import { isEndable } from './kill.js';
import type { ToolRun } from './run-tool.js';

/**
 * Ends a process and its descendants with one command. Only Windows has one, and needs one: listing processes starts
 * PowerShell there. Undefined elsewhere, where signals and lists do the same without starting anything.
 */
export function treeKillerOf(
  platform: NodeJS.Platform,
  run: (tool: ToolRun) => Promise<string>,
): ((pid: number) => Promise<boolean>) | undefined {
  if (platform !== 'win32') return undefined;
  return async (pid) =>
    isEndable(pid) &&
    run({ file: 'taskkill.exe', args: ['/T', '/F', '/PID', String(pid)] }).then(
      () => true,
      () => false,
    );
}
