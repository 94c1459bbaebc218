import type { ToolCall } from '../../core/claude/gate.js';
import { isInside } from '../../core/paths.js';
import type { Target } from '../../policy/gate/call.js';
import { realTargetsOf, type Surroundings } from './real-targets.js';

/**
 * Where links take a call, for its approver: the file that a path really is, and what a command reaches outside the
 * folders by a name inside them. A repository can contain a link `notes.md` to the user's `.bashrc`.
 */
export function leadsTo(
  call: Pick<ToolCall, 'toolName' | 'input' | 'cwd'>,
  surroundings: Surroundings,
  folders: readonly string[],
): readonly string[] {
  const isWithin = (path: string): boolean => folders.some((folder) => isInside(path, folder));
  const isHidden = ({ named, real }: Target): boolean => named !== real && isWithin(named) && !isWithin(real);
  const isCommand = typeof call.input['command'] === 'string';
  const hidden = realTargetsOf(call, surroundings).filter((target) =>
    isCommand ? isHidden(target) : target.named !== target.real,
  );
  return [...new Set(hidden.map(({ real }) => real))];
}
