import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { ToolCall } from '../core/gate.js';

/** Where a tool would read or write: a link in the folder must not hide it. Undefined when it names no place. */
export function realTargetOf({ input }: ToolCall, cwd: string): string | undefined {
  const { pattern } = input;
  const path =
    input['file_path'] ??
    input['notebook_path'] ??
    input['path'] ??
    (typeof pattern === 'string' && isAbsolute(pattern) ? pattern : undefined);
  if (typeof path !== 'string') return undefined;
  const whole = resolve(cwd, path);
  return realPath(whole) ?? join(realPath(dirname(whole)) ?? dirname(whole), basename(whole));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet.
    return undefined;
  }
}
