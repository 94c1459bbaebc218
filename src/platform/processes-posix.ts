import type { ProcessInfo } from '../core/processes.js';
import type { MarkedProcess, SystemProcesses } from './system-processes.js';
import { runTool } from './run-tool.js';

// One -o per column, because BSD's ps takes everything after the first `=` of a list as the title of that column.
const COLUMNS = ['-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];

// The columns of one process and what follows. Builds of ps for macOS that may not ask for the state leave it blank.
const LINE =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(?:(\S+)\s+)?(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})(?:\s+(.*))?$/;

const LOOKS = 5;

/** No process of macOS has a higher pid. */
const HIGHEST_PID_ON_MACOS = 99_999;

// Claude Code records its start time in this locale and time zone, and we compare the texts.
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

export const posixProcesses: SystemProcesses = {
  list: () => ps(['-A']),
  lookup: async (pids) => {
    const possible = possiblePids(pids);
    return possible.length === 0 ? [] : ps(['-p', possible.join(',')]);
  },
  findByEnvironment,
};

/** One pid that is too high makes the ps of macOS refuse all of them, as if none of the processes were alive. */
export function possiblePids(
  pids: readonly number[],
  platform: NodeJS.Platform = process.platform,
): readonly number[] {
  return platform === 'darwin' ? pids.filter((pid) => pid <= HIGHEST_PID_ON_MACOS) : pids;
}

/** Reads ps lines of `pid ppid pgid stat lstart`, without zombies. */
export function parsePs(text: string): readonly ProcessInfo[] {
  return parseLines(text).map(({ info }) => info);
}

/**
 * Reads ps lines that end with the command and its environment. The system hides the environment of its own programs,
 * such as /bin/sh.
 */
export function parseMarkedPs(text: string, markers: ReadonlySet<string>): readonly MarkedProcess[] {
  return parseLines(text).flatMap(({ info, rest }) => {
    const marker = rest.split(' ').find((word) => markers.has(word));
    return marker === undefined ? [] : [{ ...info, marker }];
  });
}

function parseLines(text: string): readonly { readonly info: ProcessInfo; readonly rest: string }[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, ppid, pgid, state = '', startTime, rest = ''] = LINE.exec(line) ?? [];
    if (startTime === undefined || state.startsWith('Z')) return [];
    return [{ info: { pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), startTime }, rest }];
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
