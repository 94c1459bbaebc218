import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import type { SystemUser } from '../../core/processes.js';

export interface ClaudeRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** Undefined: the user of this server. */
  readonly user?: SystemUser | undefined;
}

/** `late`: it was killed because it took too long. `failed`: it could not be run, or was stopped. */
export type ClaudeOutput = { readonly stdout: string } | 'late' | 'failed';

/** Asks an executable about itself. Resolves when its process has exited. */
export function runClaude(
  executable: string,
  args: readonly string[],
  { env, signal, limitMs, user }: ClaudeRun,
): Promise<ClaudeOutput> {
  const options = {
    env,
    signal,
    timeout: limitMs,
    ...user,
    // Runs in its own folder, so that a relative search path does not lead into a repository.
    cwd: dirname(executable),
    killSignal: 'SIGKILL',
    windowsHide: true,
  } as const;
  return new Promise((resolve) => {
    const child = execFile(executable, args, options, (error, stdout) => {
      const isLate = error?.killed === true && !signal.aborted;
      const isFailed = error !== null && typeof error.code !== 'number';
      const settle = (): void => resolve(isLate ? 'late' : isFailed ? 'failed' : { stdout });
      // The caller may be stopping: wait until the process has exited.
      const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
      if (isGone) settle();
      else child.once('exit', settle);
    });
    child.stdin?.end();
  });
}
