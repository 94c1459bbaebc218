import type { ProcessInfo } from '../core/processes.js';
import type { MarkedProcess, SystemProcesses } from './system-processes.js';
import { runTool } from './run-tool.js';

// One -o per column, because BSD's ps takes everything after the first `=` of a list as the title of that column.
const COLUMNS = ['-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];

// The columns up to the year of the start time, and what follows.
const LSTART = /^(\s*\d+\s+\d+\s+\d+\s+\S+\s+\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})\s+(.*)$/;

const LOOKS = 5;

// Claude Code records its start time in this locale and time zone, and we compare the texts.
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

export const posixProcesses: SystemProcesses = {
  list: () => ps(['-A']),
  lookup: async (pids) => (pids.length === 0 ? [] : ps(['-p', pids.join(',')])),
  findByEnvironment,
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

/**
 * Reads ps lines that end with the command and its environment. The system hides the environment of its own programs,
 * such as /bin/sh.
 */
export function parseMarkedPs(text: string, markers: ReadonlySet<string>): readonly MarkedProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, columns = '', rest = ''] = LSTART.exec(line) ?? [];
    const marker = rest.split(' ').find((word) => markers.has(word));
    return marker === undefined ? [] : parsePs(columns).map((info) => ({ ...info, marker }));
  });
}

async function findByEnvironment(markers: ReadonlySet<string>): Promise<readonly MarkedProcess[]> {
  const own = ['-E', '-ww', '-x', '-U', String(process.getuid?.())];
  const args = [...own, ...COLUMNS, '-o', 'command='];
  return untilFound(markers, async () =>
    // Where ps has no -E, as on BSD, it exits with 1 and prints nothing.
    parseMarkedPs(await runTool({ file: '/bin/ps', args, accept: [1], env: ENVIRONMENT }), markers),
  );
}

/** Looks again for markers that it has not found: a process that starts itself again and exits is easily missed. */
export async function untilFound(
  markers: ReadonlySet<string>,
  look: () => Promise<readonly MarkedProcess[]>,
): Promise<readonly MarkedProcess[]> {
  const found = new Map<number, MarkedProcess>();
  for (let left = LOOKS; left > 0; left -= 1) {
    for (const one of await look()) found.set(one.pid, one);
    const marks = new Set([...found.values()].map(({ marker }) => marker));
    if (marks.size === markers.size) break;
  }
  return [...found.values()];
}

async function ps(selection: readonly string[]): Promise<readonly ProcessInfo[]> {
  // ps exits with 1 when none of the pids exists.
  return parsePs(
    await runTool({ file: '/bin/ps', args: [...selection, ...COLUMNS], accept: [1], env: ENVIRONMENT }),
  );
}
