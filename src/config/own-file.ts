import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { ConfigError, reasonOf } from './config-error.js';

export interface OwnFile {
  readonly text: string;
  /** Group or others may read it. Always false where files have no such bits. */
  readonly isReadableByOthers: boolean;
}

const writableByOthers = 0o022;
const readableByOthers = 0o044;

/** Reads a file that decides what callers may do, so only its owner may be able to change it. */
export function readOwnFile(path: string): OwnFile {
  const descriptor = open(path);
  try {
    // The open file, not its name: the file behind a name can be replaced between two calls.
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new ConfigError(`${path}: is not a file. Name a JSON file.`);
    const mode = process.platform === 'win32' ? 0 : stats.mode;
    if ((mode & writableByOthers) !== 0)
      throw new ConfigError(`${path}: can be changed by other users. Run: chmod go-w '${path}'`);
    return {
      text: readFileSync(descriptor, 'utf8'),
      isReadableByOthers: (mode & readableByOthers) !== 0,
    };
  } finally {
    closeSync(descriptor);
  }
}

function open(path: string): number {
  try {
    if (lstatSync(path).isSymbolicLink()) throw isLink(path);
    // Windows has neither flag. Without O_NONBLOCK a named pipe would block the start.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
    return openSync(path, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ELOOP') throw isLink(path);
    if (code === 'ENOENT') throw new ConfigError(`${path}: there is no such file. Check --config.`);
    throw new ConfigError(`${path}: cannot be read (${reasonOf(error)}). Check its permissions.`);
  }
}

function isLink(path: string): ConfigError {
  return new ConfigError(`${path}: is a symbolic link. Name the file that it points to.`);
}
