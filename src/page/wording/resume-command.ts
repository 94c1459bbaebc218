import { escapeHidden } from '../../core/text/escape.js';

/** Without characters that a shell of Windows acts on between double quotes. PowerShell accepts curly quotes as well. */
const plainOnWindows = /^[a-z]:(?:\\[^\\/"“”„$`%!^]+)+$/i;

/** What resumes a session in a terminal. Undefined for a path that the terminal would act on. */
export function resumeCommand(
  cwd: string,
  claudeSessionId: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (escapeHidden(cwd) !== cwd || /[\n\t]/.test(cwd) || !/^[\w-]+$/.test(claudeSessionId)) return undefined;
  const resume = `claude --resume ${claudeSessionId}`;
  if (platform !== 'win32') return `cd ${shellWord(cwd)} && ${resume}`;
  // Unlike cd, it also changes the drive in the Command Prompt. All shells of Windows have it.
  return plainOnWindows.test(cwd) ? `pushd "${cwd}" && ${resume}` : undefined;
}

function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
