import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessTable } from '../../core/processes.js';
import { readJsonFile } from '../../files/json-file.js';
import { endLaunches } from './end-launches.js';
import { serverPidOf } from './launch-files.js';
import { toLaunchRecord, type LaunchRecord, type ServerIdentity } from './launch-record.js';
import { recordName } from './launches.js';

interface Leftover {
  readonly path: string;
  readonly record: LaunchRecord | undefined;
}

/** Ends the launches of servers that were killed, and removes their files. Rejects if something survives. */
export async function endLeftovers(
  folder: string,
  processes: ProcessTable,
  self: Promise<ServerIdentity>,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return;
  const { space } = await self;
  const found = await Promise.all(names.map((name) => leftoverIn(folder, name, { processes, space })));
  const leftovers = found.filter((one) => one !== undefined);
  await endLaunches(
    leftovers.flatMap(({ record }) => record ?? []),
    // Their server may have ended days ago. Since then, the pid of a Claude Code may have been that of another process,
    // whose children are not ours. The watchdog has ended the survivors at once.
    { ...processes, survivorsOf: undefined },
  );
  for (const { path } of leftovers) await rm(path, { recursive: true, force: true });
}

/** Undefined for a launch of a living server, and for anything that is no launch. */
async function leftoverIn(
  folder: string,
  name: string,
  { processes, space }: { readonly processes: Pick<ProcessTable, 'startTimeOf'>; readonly space: string },
): Promise<Leftover | undefined> {
  const pid = serverPidOf(name);
  if (pid === undefined) return undefined;
  const path = join(folder, name);
  const written = toLaunchRecord(await readJsonFile(join(path, recordName), { limitBytes: 65_536 }));
  // Another container counts its processes differently, so its server may be alive.
  const record = written?.server?.space === space ? written : undefined;
  const startTime = await processes.startTimeOf(pid);
  // Without a start time, a reused pid only delays the removal.
  const isAlive = startTime !== undefined && (record?.server?.startTime ?? startTime) === startTime;
  return isAlive ? undefined : { path, record };
}
