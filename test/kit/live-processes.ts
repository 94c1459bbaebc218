import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type LiveProcess = { readonly pid: number; readonly command: string };

/**
 * All live processes with `name=value` in their environment, except this one. Also finds orphans, which a walk down the
 * process tree would miss. Ignores zombies, which have no environment.
 */
export function processesWithVariable(name: string, value: string): readonly LiveProcess[] {
  const entry = `${name}=${value}`;
  if (!existsSync('/proc/self/environ')) return markedOnMacos(ps(), ps('-E'), entry);
  const pids = readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one))
    .map(Number)
    .filter((pid) => pid !== process.pid);
  return pids
    .filter((pid) => readFields(pid, 'environ').includes(entry))
    .map((pid) => ({ pid, command: commandOf(pid) }));
}

/** Empty if the process has exited. */
export function commandOf(pid: number): string {
  return existsSync('/proc/self/cmdline')
    ? readFields(pid, 'cmdline').join(' ').trim()
    : (rowsOf(ps()).get(pid)?.text ?? '');
}

/**
 * Reads what ps of macOS prints, without and with environments. It hides the environment of the system's own programs,
 * such as shells, so these count if their parent does. Their orphans are missed.
 */
export function markedOnMacos(plain: string, withEnvironment: string, entry: string): readonly LiveProcess[] {
  const shown = rowsOf(withEnvironment);
  const rows = [...rowsOf(plain)].filter(([, { text }]) => !/^(<defunct>|\(.*\))$/.test(text));
  const marked = new Map<number, string>();
  for (const [pid, { text }] of rows)
    if (shown.get(pid)?.text.slice(text.length).split(' ').includes(entry)) marked.set(pid, text);
  const isHidden = (pid: number, text: string): boolean => shown.get(pid)?.text === text;
  for (const parent of marked.keys())
    for (const [pid, { ppid, text }] of rows)
      if (ppid === parent && isHidden(pid, text) && !text.includes('watchdog.js')) marked.set(pid, text);
  marked.delete(process.pid);
  return [...marked].map(([pid, command]) => ({ pid, command }));
}

interface Row {
  readonly ppid: number;
  readonly text: string;
}

/** Lines of `pid ppid command`. */
function rowsOf(output: string): ReadonlyMap<number, Row> {
  return new Map(
    output.split('\n').flatMap((line): [number, Row][] => {
      const [, pid, ppid, text = ''] = /^\s*(\d+)\s+(\d+)\s+(.*?)\s*$/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), { ppid: Number(ppid), text }]];
    }),
  );
}

function ps(...options: readonly string[]): string {
  const args = ['-A', ...options, '-ww', '-o', 'pid=', '-o', 'ppid=', '-o', 'command='];
  return spawnSync('/bin/ps', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout ?? '';
}

function readFields(pid: number, file: 'environ' | 'cmdline'): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    // The process has exited, or belongs to another user.
    return [];
  }
}
