import { spawn } from 'node:child_process';
import { constants } from 'node:os';

export interface HandOver {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Gives the terminal to another program until it exits. Resolves to its exit code. Rejects if it cannot be started. */
export async function handOver({ file, args, cwd, env }: HandOver): Promise<number> {
  // The terminal sends Ctrl-C to both. Only the other program decides what it means.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    const child = spawn(file, args, { cwd, env, stdio: 'inherit' });
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
