import type { Readable } from 'node:stream';
import { asText, ownValue, parseJson } from '../../core/json.js';
import type { ProcessTable } from '../../core/processes.js';
import { endLaunches } from './end-launches.js';
import { toKnownLaunch, type KnownLaunch } from './launch-record.js';

/** One line that the server writes to the watchdog. */
export type WatchdogLine = KnownLaunch | { readonly ended: string };

/** Waits for the end of the pipe, which means that the server is dead, and ends the launches that it has left. */
export async function watch(input: Readable, processes: ProcessTable): Promise<void> {
  const launches = new Map<string, KnownLaunch>();
  let rest = '';
  input.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) note(launches, parseJson(line));
  });
  await new Promise<void>((resolve) => {
    for (const end of ['end', 'close', 'error']) input.once(end, () => resolve());
  });
  await endLaunches([...launches.values()], processes);
}

function note(launches: Map<string, KnownLaunch>, line: unknown): void {
  const ended = asText(ownValue(line, 'ended'));
  if (ended !== undefined) launches.delete(ended);
  const launch = toKnownLaunch(line);
  if (launch !== undefined) launches.set(launch.marker, launch);
}
