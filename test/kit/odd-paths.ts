/** Paths that cannot be looked up as they are, although programs reach them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** macOS takes no other names than UTF-8. */
export const takesAnyName = process.platform === 'linux';

/** A name that is not UTF-8. */
export function garbledName(folder: string, start: string): Buffer {
  return Buffer.concat([Buffer.from(join(folder, start)), Buffer.from([0xff])]);
}

/** The longest path that Linux takes. */
const longestPath = 4_095;

/**
 * Creates a link in a folder whose absolute path is too long for the system. Returns the path from the outer folder, with
 * which a program that starts there reaches it.
 */
export function plantDeepLink(folder: string, target: string): string {
  const [name, link] = ['d'.repeat(200), 'l'];
  const count = Math.floor((longestPath - link.length) / (name.length + 1));
  const names = Array.from({ length: count }, () => name);
  const last = 'e'.repeat(longestPath - [...names, '', link].join('/').length - 1);
  const script =
    'target=$1; shift; for name in "$@"; do mkdir "$name" && cd -P "$name"; done; ln -s "$target" l';
  execFileSync('sh', ['-c', script, 'sh', target, ...names, last], { cwd: folder });
  // Node cannot remove it.
  onTestFinished(() => void execFileSync('rm', ['-rf', join(folder, name)]));
  return [...names, last, link].join('/');
}
