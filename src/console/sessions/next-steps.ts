import { shellWord } from '../terminal/shell.js';

/** What a person can do with a session. */
export interface Steps {
  readonly shortId: string;
  readonly isBusy: boolean;
  readonly isWaiting: boolean;
  readonly isResumable: boolean;
}

/** Pairs of what to do and the command for it. */
export function nextSteps({
  shortId,
  isBusy,
  isWaiting,
  isResumable,
}: Steps): readonly (readonly [string, string])[] {
  const steps: (readonly [string, string] | false)[] = [
    isWaiting && ['Answer in your client, or on the page', 'claude-code-mcp open'],
    isBusy && ['Watch it live', `claude-code-mcp watch ${shortId}`],
    !isBusy && isResumable && ['Continue in this terminal', `claude-code-mcp resume ${shortId}`],
  ];
  return steps.filter((step) => step !== false);
}

/** The command that a person can type themselves. */
export function resumeCommand(folder: string, claudeSessionId: string): string {
  return `cd ${shellWord(folder)} && claude --resume ${claudeSessionId}`;
}
