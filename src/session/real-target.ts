import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ToolCall } from '../core/gate.js';

/** Where a tool that edits would write: a link in the folder must not hide it. Undefined when it names no file. */
export function realTargetOf({ input }: ToolCall, cwd: string): string | undefined {
  const path = input['file_path'] ?? input['notebook_path'];
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
