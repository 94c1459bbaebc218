/** Choosing one of ten thousand sessions on disk must not be slower than choosing one of ten. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, closeSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerClient } from '../kit/server-client.js';
import { defineRow } from './row.js';
import { withStage } from './stage.js';
import { minimum, ms, timed } from './timing.js';

const PROJECTS = 50;
const SESSIONS_EACH = 200;
/** The size of a transcript with one prompt and its answer. */
const TRANSCRIPT_BYTES = 116_000;
const COLD_ROUNDS = 3;
const WARM_ROUNDS = 10;
const MEGABYTE = 1_000_000;

export const diskList = defineRow({
  name: 'disk-list',
  budget: {
    warm: { what: 'list 20 of 10,000 sessions on disk, later calls', max: 0.3, unit: 's' },
    cold: { what: 'list 20 of 10,000 sessions on disk, first call', max: 3, unit: 's' },
    memory: { what: 'peak memory of these lists', max: 60, unit: 'MB' },
    searchMemory: { what: 'the same with a search of all their texts', max: 70, unit: 'MB' },
  },
  // Only Linux reports the peak memory of another process.
  platform: 'linux',
  measure: () =>
    withStage(async ({ sandbox, connect }) => {
      fillProjects(join(sandbox.configDir, 'projects'));
      const cold: number[] = [];
      for (let round = 0; round < COLD_ROUNDS; round += 1) {
        const server = await connect();
        cold.push(await timed(() => listTwenty(server)));
        await server.close();
      }
      const server = await connect();
      await server.call('claude_code_session', { action: 'list' });
      const before = memoryOf(server.pid, 'VmRSS');
      const warm: number[] = [];
      for (let round = 0; round <= WARM_ROUNDS; round += 1) {
        const time = await timed(() => listTwenty(server));
        if (round > 0) warm.push(time);
      }
      const peak = memoryOf(server.pid, 'VmHWM') - before;
      // A text search must read all of them.
      const search = { action: 'list', scope: 'disk', query: 'number 17 ' };
      const firstSearch = await timed(() => server.call('claude_code_session', search));
      const nextSearch = await timed(() => server.call('claude_code_session', search));
      const searchPeak = memoryOf(server.pid, 'VmHWM') - before;
      return {
        values: {
          warm: minimum(warm) / 1_000,
          cold: minimum(cold) / 1_000,
          memory: peak / MEGABYTE,
          searchMemory: searchPeak / MEGABYTE,
        },
        detail: `the first search of all sessions takes ${ms(firstSearch)}, the next ${ms(nextSearch)}`,
      };
    }),
});

async function listTwenty(server: ServerClient): Promise<void> {
  const { json } = await server.call('claude_code_session', { action: 'list', scope: 'disk' });
  if (json.sessions?.length !== 20 || json.message === undefined)
    throw new Error('the list is not the expected one');
}

function fillProjects(projectsDir: string): void {
  for (let project = 0; project < PROJECTS; project += 1) {
    const cwd = `/home/somebody/work/project-${project}`;
    const folder = join(projectsDir, cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < SESSIONS_EACH; index += 1) writeTranscript(folder, cwd, index);
  }
}

/** Writes the first and last lines as Claude Code does. The hole between them takes no disk space. */
function writeTranscript(folder: string, cwd: string, index: number): void {
  const sessionId = randomUUID();
  const common = { isSidechain: false, userType: 'external', entrypoint: 'sdk-ts', cwd, sessionId };
  const prompt = `Task number ${index} of many: find out why the build fails, and mend it. ${'More words. '.repeat(20)}`;
  const head = [
    { type: 'queue-operation', operation: 'enqueue', sessionId, content: prompt },
    { type: 'queue-operation', operation: 'dequeue', sessionId },
    { type: 'user', message: { role: 'user', content: prompt }, uuid: randomUUID(), ...common },
    { type: 'attachment', attachment: { type: 'skill_listing', content: 'x'.repeat(3_000) }, ...common },
  ];
  const tail = [
    { type: 'last-prompt', lastPrompt: prompt.slice(0, 60), sessionId },
    { type: 'custom-title', customTitle: `number ${index} of ${cwd}`, sessionId },
    { type: 'cost-state', sessionId, totalCostUSD: 0.0044, modelUsage: {} },
  ];
  const end = `\n${toLines(tail)}`;
  const file = openSync(join(folder, `${sessionId}.jsonl`), 'wx', 0o600);
  writeSync(file, toLines(head));
  writeSync(file, end, TRANSCRIPT_BYTES - Buffer.byteLength(end));
  closeSync(file);
}

function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1];
  return Number(kilobytes) * 1_024;
}
