import { isSdkInstalled } from '../backends/agent-sdk/load-sdk.js';
import { findBundledClaude } from '../backends/agent-sdk/find-bundled-claude.js';
import type { Settings } from '../config/settings.js';
import { findExecutable } from '../platform/find-executable.js';
import { claudeOnPath } from './compose-backend.js';

export interface LocatedClaude {
  readonly path: string;
  /** By the operator, on the PATH, or with the Agent SDK. */
  readonly by: 'setting' | 'path' | 'bundle';
}

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Folders that must not supply it, such as that of a session. */
  readonly notIn?: readonly string[];
}

export function backendOf({ backend }: Pick<Settings, 'backend'>): 'agent-sdk' | 'cli' {
  if (backend !== 'auto') return backend;
  return isSdkInstalled() ? 'agent-sdk' : 'cli';
}

/** The Claude Code that sessions start, unless their own folder contains it. Undefined if there is none. */
export function locateClaude(
  settings: Pick<Settings, 'backend' | 'claudePath'>,
  { environment, home, notIn = [] }: Surroundings,
): LocatedClaude | undefined {
  const { claudePath } = settings;
  if (claudePath !== undefined) {
    const path = findExecutable(claudePath, { home, searchPath: environment['PATH'], notIn });
    return path === undefined ? undefined : { path, by: 'setting' };
  }
  const onPath = backendOf(settings) === 'cli' ? claudeOnPath({ environment, home }, notIn) : undefined;
  if (onPath !== undefined) return { path: onPath, by: 'path' };
  const bundled = findBundledClaude();
  return bundled === undefined ? undefined : { path: bundled, by: 'bundle' };
}
