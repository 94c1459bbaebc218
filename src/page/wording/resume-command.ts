import { shellWord } from '../../core/text/shell-word.js';

/** What resumes a session in a terminal. Undefined for a path that the terminal would act on. */
export function resumeCommand(
  cwd: string,
  claudeSessionId: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const folder = shellWord(cwd, platform);
  if (folder === undefined || !/^[\w-]+$/.test(claudeSessionId)) return undefined;
  // Unlike cd, it also changes the drive in the Command Prompt. All shells of Windows have it.
  const enter = platform === 'win32' ? 'pushd' : 'cd';
  return `${enter} ${folder} && claude --resume ${claudeSessionId}`;
}
