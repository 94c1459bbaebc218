import type { ProcessInfo } from '../core/processes.js';
import type { SystemProcesses } from './system-processes.js';
import { runTool } from './run-tool.js';

// One -o per column, because BSD's ps takes everything after the first `=` of a list as the title of that column.
const COLUMNS = ['-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];

// Claude Code records its start time in this locale and time zone, and we compare the texts.
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

export const posixProcesses: SystemProcesses = {
  list: () => ps(['-A']),
  lookup: async (pids) => (pids.length === 0 ? [] : ps(['-p', pids.join(',')])),
  // Other processes' environments are not readable here.
  findByEnvironment: async () => [],
};

/** Reads ps lines of `pid ppid pgid stat lstart`, without zombies. */
export function parsePs(text: string): readonly ProcessInfo[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, ppid, pgid, state, startTime] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    if (state === undefined || state.startsWith('Z') || startTime === undefined) return [];
    return [{ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), startTime }];
  });
}

async function ps(selection: readonly string[]): Promise<readonly ProcessInfo[]> {
  // ps exits with 1 when none of the pids exists.
  return parsePs(
    await runTool({ file: '/bin/ps', args: [...selection, ...COLUMNS], accept: [1], env: ENVIRONMENT }),
  );
}
