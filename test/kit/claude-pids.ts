import type { Sandbox } from './sandbox.js';

/** The Claude Code processes of a sandbox that are alive now. */
export function claudePids(sandbox: Sandbox): number[] {
  return sandbox
    .processes()
    .filter(({ command }) => command.includes('stream-json'))
    .map(({ pid }) => pid);
}
