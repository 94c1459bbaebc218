import { win32 } from 'node:path';

/**
 * The program that a script of npm or pnpm starts on Windows (`claude.cmd`, `claude.ps1`). Such a script cannot be
 * started like a program, and through a shell its arguments could become commands. Undefined if it starts anything else
 * than one program next to or below its own folder.
 */
export function programOfShim(script: string, folder: string): string | undefined {
  const found = new Set(
    [...script.matchAll(/"(?:%~dp0|%dp0%|\$basedir)[\\/]?([^"%$`*?<>|:]+\.exe)"/gi)].map(([, path = '']) =>
      win32.join(folder, path),
    ),
  );
  const [program] = found;
  if (program === undefined || found.size > 1) return undefined;
  // Scripts for Node name both `node.exe` and the file that it runs.
  return win32.basename(program).toLowerCase() === 'node.exe' ? undefined : program;
}
