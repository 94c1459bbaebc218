import { asTyped, commandLine } from '../commands/typed.js';
import { realPathOfNearest } from '../files/real-path.js';

/** How the person who has started this program runs another command of it. */
export function typedCommand(): string {
  return commandFrom(process.cwd());
}

/** How a person runs a command of it in any folder. */
export function commandAnywhere(): string {
  return commandFrom(undefined);
}

function commandFrom(cwd: string | undefined): string {
  const program = process.argv[1] ?? 'claude-code-mcp';
  return commandLine({ program, target: realPathOfNearest(program), cwd });
}

/** A text for that person. */
export function inTyped(text: string): string {
  return asTyped(text, typedCommand());
}
