import { isOfProcess } from '../../core/paths.js';
import type { JudgedCall, Target } from './call.js';
import { isEditing, isReading } from './file-rules.js';

/** Here macOS has every file once more, by its number or with rules for links. No real path leads back from it. */
export const secondNames = /^\/\.(?:vol|nofollow|resolve)(?:\/|$)/;

/** A program reads and writes these anyway: `/dev/stderr`. */
const ownStreams = /^\/proc\/self\/fd\/[012]$/;

/** Whether a path could lead to any file. Links of a process are not followed: `/proc/self/root` is the whole disk. */
export function isSecondName({ named, real }: Target): boolean {
  return [named, real].some((path) => secondNames.test(path) || isOfProcess(path)) && !ownStreams.test(real);
}

/** Why a call needs approval although none of its paths seems to be one that is held. */
export function secondNameReason({
  toolName,
  input,
  targets,
  permissionMode,
  command,
}: JudgedCall): string | undefined {
  if (permissionMode === 'bypassPermissions') return undefined;
  if (command !== undefined && command.matches === undefined)
    return 'Where this command leads cannot be checked, because its patterns stand for too many folders';
  const named = [...targets, ...(command?.matches ?? [])];
  const isNaming = isReading(toolName) || isEditing(toolName) || typeof input['command'] === 'string';
  return isNaming && named.some(isSecondName)
    ? 'Where this path leads cannot be checked, because the system gives files other names there'
    : undefined;
}
