import { resolve } from 'node:path';
import type { ToolCall } from '../../core/claude/gate.js';
import { LinkWalk, realPathOfNearest } from '../../files/real-path.js';
import type { JudgedCommand, Target } from '../../policy/gate/call.js';
import { readCommand } from '../../policy/gate/command-reading.js';
import { mayReadInPowershell } from '../../policy/gate/powershell.js';

/** What a command does; undefined for any other call. */
export function judgedCommandOf(
  { toolName, input, permissionMode, cwd }: ToolCall,
  rules: readonly string[],
  surroundings: { readonly cwd: string },
): JudgedCommand | undefined {
  const { command } = input;
  if (typeof command !== 'string') return undefined;
  if (toolName === 'PowerShell')
    return { isReadOnly: false, reads: mayReadInPowershell(command) ? undefined : [] };
  if (toolName !== 'Bash' && toolName !== 'Monitor') return undefined;
  const acceptsEdits = permissionMode === 'acceptEdits';
  const { isReadOnly, paths } = readCommand(command, { acceptsEdits, rules });
  const start = realPathOfNearest(cwd ?? surroundings.cwd);
  return { isReadOnly, reads: paths && targetsOf(paths, start) };
}

/** The files and folders that a command reads, without links; undefined if that is not certain. */
function targetsOf(paths: readonly string[], cwd: string): readonly Target[] | undefined {
  const walk = new LinkWalk();
  const names = new Set(paths.map((path) => resolve(cwd, path)));
  const targets = [...names].map((named) => ({ named, real: walk.resolve(named) }));
  return walk.isExhausted ? undefined : targets;
}
