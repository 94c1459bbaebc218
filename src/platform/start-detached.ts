import { spawn } from 'node:child_process';

export interface DetachedProgram {
  /** A script for Node. */
  readonly script: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The open file that receives its stderr. */
  readonly log: number;
}

/** Starts a program that outlives this process. Returns a promise that resolves if it exits earlier. */
export function startDetached({ script, args, environment, cwd, log }: DetachedProgram): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', log],
    windowsHide: true,
    env: environment,
    cwd,
  });
  child.unref();
  return new Promise((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
}
