import type { Sandbox } from './sandbox.js';

/** The live Claude Code processes of a sandbox. */
export function claudePids(sandbox: Sandbox): number[] {
  return sandbox
    .processes()
    .filter(({ command }) => command.includes('stream-json'))
    .map(({ pid }) => pid);
}
