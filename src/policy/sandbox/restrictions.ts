import { join } from 'node:path';
import { isObject, type JsonObject } from '../../core/json.js';
import type { EffectiveOptions } from '../../core/options/index.js';

type Sandbox = NonNullable<EffectiveOptions['sandbox']>;

/**
 * The restrictions of settings that a session does not load. `sections` contain only values that restrict, and their
 * relative paths start at the session's folder.
 */
export function joinedRestrictions(sections: readonly unknown[], cwd: string): Sandbox | undefined {
  const joined = sections.filter(isObject).reduce(joinedObjects, {});
  const { enabled: _isOn, ...restrictions }: JsonObject = anchored(joined, cwd);
  return Object.keys(restrictions).length === 0 ? undefined : restrictions;
}

/** A sandbox with the restrictions of both. */
export function withRestrictions(
  sandbox: Sandbox | undefined,
  restrictions: Sandbox | undefined,
): Sandbox | undefined {
  if (sandbox === undefined || restrictions === undefined) return sandbox ?? restrictions;
  return joinedObjects(restrictions, sandbox);
}

function joinedObjects(first: JsonObject, second: JsonObject): JsonObject {
  return Object.entries(second).reduce<JsonObject>(
    (joined, [key, value]) => ({ ...joined, [key]: joinedValues(joined[key], value) }),
    first,
  );
}

function joinedValues(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...new Set<unknown>([...first, ...second])];
  return isObject(first) && isObject(second) ? joinedObjects(first, second) : second;
}

/** Passed on, a relative path could start elsewhere. */
function anchored({ filesystem, credentials, ...rest }: JsonObject, cwd: string): JsonObject {
  const files = isObject(credentials) ? credentials['files'] : undefined;
  return {
    ...rest,
    ...(isObject(filesystem) ? { filesystem: mapped(filesystem, (paths) => pathsFrom(paths, cwd)) } : {}),
    ...(isObject(credentials)
      ? { credentials: { ...credentials, ...(files === undefined ? {} : { files: filesFrom(files, cwd) }) } }
      : {}),
  };
}

function mapped(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function pathsFrom(value: unknown, cwd: string): unknown {
  return Array.isArray(value)
    ? value.filter((path) => typeof path === 'string').map((path) => pathFrom(path, cwd))
    : value;
}

function filesFrom(files: unknown, cwd: string): unknown {
  if (!Array.isArray(files)) return files;
  return files.filter(isObject).map((file) => ({ ...file, path: pathFrom(String(file['path']), cwd) }));
}

function pathFrom(path: string, cwd: string): string {
  return /^[/~]/.test(path) || /^[a-z]:/i.test(path) ? path : join(cwd, path);
}
