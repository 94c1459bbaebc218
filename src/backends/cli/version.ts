import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../core/errors.js';

/** Shorter than the ten seconds a start has by default: the caller is to hear why. */
const defaultLimitMs = 9_000;

/**
 * The first one that was seen to pass the whole contract. 2.1.307 does not tell what a turn has cost after a resume, so
 * budgets would not hold; much older ones do not say which prompt a result belongs to.
 */
const tested = { from: [2, 1, 315], before: 3, words: '2.1.315 or later, below 3' } as const;

export type CheckVersion = (executable: string, signal: AbortSignal) => Promise<void>;

/**
 * Rejects, in words, when this is no Claude Code that we can drive; each executable is asked once. What cannot be run
 * at all passes: the start itself says best why.
 */
export function createVersionCheck(
  env: Readonly<Record<string, string>>,
  limitMs = defaultLimitMs,
): CheckVersion {
  const passed = new Set<string>();
  return async (executable, signal) => {
    const identity = identify(executable);
    if (identity === undefined || passed.has(identity)) return;
    const said = await versionOf(executable, { env, signal, timeout: limitMs });
    if (said === undefined || signal.aborted) return;
    refuseVersion(executable, said);
    passed.add(identity);
  };
}

/** An update puts another file in its place. */
function identify(executable: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(executable);
    return JSON.stringify([executable, mtimeMs, size, ino]);
  } catch {
    return undefined;
  }
}

function refuseVersion(executable: string, said: string): void {
  if (isTested(said)) return;
  throw new AppError('version_unfit', { executable, found: said, needed: tested.words });
}

/** What `init` tells counts as well: behind a wrapper there may be another Claude Code than the one that was asked. */
export function versionProblem(said: string): string | undefined {
  return isTested(said)
    ? undefined
    : `it is version "${said.slice(0, 80)}", needed is ${tested.words} (update it with \`claude update\`)`;
}

function isTested(said: string): boolean {
  const [major = 0, minor = 0, patch = 0] = /\b(\d+)\.(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [];
  const [fromMajor, fromMinor, fromPatch] = tested.from;
  const isNewEnough =
    major > fromMajor ||
    (major === fromMajor && (minor > fromMinor || (minor === fromMinor && patch >= fromPatch)));
  return isNewEnough && major < tested.before;
}

/** Its first line; undefined when it could not be run. */
function versionOf(
  executable: string,
  run: { env: Readonly<Record<string, string>>; signal: AbortSignal; timeout: number },
): Promise<string | undefined> {
  const options = {
    ...run,
    // Its own folder: a relative search path must not mean a repository.
    cwd: dirname(executable),
    killSignal: 'SIGKILL',
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(executable, ['--version'], options, (error, stdout) => {
      const isLate = error?.killed === true && !run.signal.aborted;
      const settle = (): void => {
        if (isLate) reject(new AppError('version_unknown', { executable, limitMs: run.timeout }));
        else if (error !== null && typeof error.code !== 'number') resolve(undefined);
        else resolve(stdout.split('\n', 1)[0]?.trim() ?? '');
      };
      // Called before the end of a process that is being ended: nothing of it may be left.
      const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
      if (isGone) settle();
      else child.once('exit', settle);
    });
    child.stdin?.end();
  });
}
