import { shellWord } from '../../core/text/shell-word.js';

/** What a person does to trust a folder, whose name may be made for a shell to act on. A line can break at a space. */
export function howToTrust(folder: string): string {
  const word = shellWord(folder);
  return word === undefined || /\s/.test(word)
    ? 'run in that folder: claude-code-mcp trust .'
    : `run: claude-code-mcp trust ${word}`;
}
