import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [file: string, ...args: string[]]>>> = {
  linux: ['xdg-open'],
  darwin: ['open'],
  // Not "start", which is a built-in of the shell.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Some openers stay until their program exits. */
const patienceMs = 3_000;

/** Opens a file with the program of the desktop. False if there is none, or no desktop. */
export function openFile(path: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const [file, ...args] = openers[process.platform] ?? [];
  const isHeadless =
    process.platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY'];
  if (file === undefined || isHeadless) return Promise.resolve(false);
  // Windows searches the working directory first, which may be a repository.
  const cwd = dirname(process.execPath);
  const child = spawn(file, [...args, path], { env: environment, cwd, detached: true, stdio: 'ignore' });
  child.unref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), patienceMs);
    const finish = (isOpened: boolean): void => {
      clearTimeout(timer);
      resolve(isOpened);
    };
    child.once('error', () => finish(false)).once('exit', (code) => finish(code === 0));
  });
}
