import { isEndable } from './kill.js';
import type { ToolRun } from './run-tool.js';

/**
 * Ends a process and its descendants with one command, on Windows only, where listing processes starts PowerShell.
 * Undefined elsewhere, where signals and lists do the same without another process.
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
