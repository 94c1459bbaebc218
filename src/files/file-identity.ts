import { statSync } from 'node:fs';

/** Changes when the file is edited or replaced. Undefined if it does not exist or is not accessible. */
export function fileIdentity(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return undefined;
  }
}
