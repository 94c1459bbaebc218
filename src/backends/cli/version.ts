import { statSync } from 'node:fs';
import { AppError } from '../../core/errors.js';
import type { SystemUser } from '../../core/processes.js';
import { runClaude } from '../shared/run-claude.js';

/** Shorter than the default start timeout of ten seconds, so that the caller learns the cause. */
const defaultLimitMs = 9_000;

/**
 * The first version that passes the contract suite. 2.1.307 does not report the cost of a turn after a resume, so
 * budgets would not hold; much older versions do not report which prompt a result belongs to.
 */
const tested = { from: [2, 1, 315], before: 3, words: '2.1.315 or later, below 3' } as const;

export const testedVersions = tested.words;

/** `marks` are variables by which the process is found if this server is killed meanwhile. */
export type CheckVersion = (
  executable: string,
  signal: AbortSignal,
  marks?: Readonly<Record<string, string>>,
) => Promise<void>;

/**
 * Rejects when we cannot drive this Claude Code. Checks each executable once. An executable that fails to run passes,
 * because the start itself reports the cause best.
 */
export function createVersionCheck(
  env: Readonly<Record<string, string>>,
  {
    limitMs = defaultLimitMs,
    user,
  }: { readonly limitMs?: number; readonly user?: SystemUser | undefined } = {},
): CheckVersion {
  const passed = new Set<string>();
  return async (executable, signal, marks) => {
    const identity = identify(executable);
    if (identity === undefined || passed.has(identity)) return;
    const output = await runClaude(executable, ['--version'], {
      env: { ...env, ...marks },
      signal,
      limitMs,
      user,
    });
    if (output === 'late') throw new AppError('version_unknown', { executable, limitMs });
    if (output === 'failed' || signal.aborted) return;
    refuseVersion(executable, output.stdout.split('\n', 1)[0]?.trim() ?? '');
    passed.add(identity);
  };
}

/** Changes when an update replaces the file. */
function identify(executable: string): string | undefined {
  try {
    const { mtimeNs, size, ino } = statSync(executable, { bigint: true });
    return [executable, mtimeNs, size, ino].join('\0');
  } catch {
    return undefined;
  }
}

function refuseVersion(executable: string, said: string): void {
  if (isTested(said)) return;
  throw new AppError('version_unfit', { executable, found: said, needed: tested.words });
}

/** Also checks the version in `init`, because a wrapper may start a different Claude Code. */
export function versionProblem(said: string): string | undefined {
  return isTested(said)
    ? undefined
    : `it is version "${said.slice(0, 80)}", but the cli backend needs ${tested.words} (run \`claude update\`)`;
}

export function isTested(said: string): boolean {
  const [major = 0, minor = 0, patch = 0] = /\b(\d+)\.(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [];
  const [fromMajor, fromMinor, fromPatch] = tested.from;
  const isNewEnough =
    major > fromMajor ||
    (major === fromMajor && (minor > fromMinor || (minor === fromMinor && patch >= fromPatch)));
  return isNewEnough && major < tested.before;
}
