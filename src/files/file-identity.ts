import { statSync } from 'node:fs';

/** Changes when the file is edited or replaced. Undefined if it does not exist or is not accessible. */
export function fileIdentity(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return undefined;
  }
}
