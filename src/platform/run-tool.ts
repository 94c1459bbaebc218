import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

export interface ToolRun {
  readonly file: string;
  readonly args: readonly string[];
  /** Exit codes other than 0 that are not failures. */
  readonly accept?: readonly number[];
  /** Replaces the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a system tool and returns its output. */
export function runTool({ file, args, accept = [], env }: ToolRun): Promise<string> {
  const options = {
    // Windows searches the working directory first, which may be a repository.
    cwd: dirname(process.execPath),
    timeout: 5000,
    maxBuffer: 16 * 1024 * 1024,
    windowsHide: true,
    ...(env && { env }),
  };
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout) => {
      if (error === null || (typeof error.code === 'number' && accept.includes(error.code))) resolve(stdout);
      else reject(new Error(`${file} failed: ${error.message}`, { cause: error }));
    });
  });
}
