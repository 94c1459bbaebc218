import { existsSync } from 'node:fs';
import type { ToolCall } from '../../core/claude/gate.js';
import { isInside } from '../../core/paths.js';
import type { Target } from '../../policy/gate/call.js';
import { mentionedLinks } from './mentioned-links.js';
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
  const { command } = call.input;
  const { targets: named } = realTargetsOf(call, surroundings);
  if (typeof command !== 'string')
    return unique(named.filter((target) => target.named !== target.real).map(({ real }) => real));
  const direct = named.filter(isHidden);
  const start = call.cwd ?? surroundings.cwd;
  const mentioned = mentionedLinks(command, { start, isWithin })
    .filter(isHidden)
    .filter((link) => !direct.some((target) => isInside(target.named, link.named)));
  const { home } = surroundings;
  // Many other links must not push those to the user's own files out of sight.
  const rank = (path: string): number => (isInside(path, home) && existsSync(path) ? 0 : 1);
  return unique([...direct, ...mentioned].map(({ real }) => real)).toSorted((a, b) => rank(a) - rank(b));
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}
