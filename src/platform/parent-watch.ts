import type { Logger } from '../core/observability/logger.js';

/** No system reports the exit of a parent. */
const defaultIntervalMs = 2_000;

/**
 * Calls back once when the process that started this one has exited. Its input ends then too, unless another process
 * holds it open. A launcher that starts this process and exits at once is not the one to wait for, so the parent counts
 * from the first look on.
 */
export function watchParent(onGone: () => void, logger: Logger, intervalMs = defaultIntervalMs): void {
  let parent: number | undefined;
  const timer = setInterval(() => {
    const pid = currentParent();
    if (parent === undefined) {
      parent = pid;
      logger.log('debug', 'the server ends with its parent process', { pid });
    }
    if (pid === parent) return;
    clearInterval(timer);
    logger.log('info', 'the parent process has exited, so the server shuts down');
    onGone();
  }, intervalMs);
  timer.unref();
}

/** Elsewhere an orphan gets another parent. Windows keeps the pid of the dead one; a reused pid goes unnoticed. */
function currentParent(): number {
  if (process.platform !== 'win32') return process.ppid;
  try {
    process.kill(process.ppid, 0);
    return process.ppid;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    return isGone ? 0 : process.ppid;
  }
}
