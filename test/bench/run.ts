/** `npm run bench`: measures the promises of DESIGN.md 11. The exit code is 1 when a row is over budget. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { approval } from './approval.js';
import { cpu } from './cpu.js';
import { diskList } from './disk-list.js';
import { ending } from './ending.js';
import { followUp } from './follow-up.js';
import { history } from './history.js';
import { http } from './http.js';
import { journal } from './journal.js';
import { leftovers } from './leftovers.js';
import { page } from './page.js';
import { toLines, toTable, type Finished } from './report.js';
import type { Row } from './row.js';
import { sessionTime } from './session-time.js';
import { start } from './start.js';
import { toolsList } from './tools-list.js';

const rows: readonly Row[] = [
  start,
  toolsList,
  approval,
  sessionTime,
  cpu,
  followUp,
  history,
  diskList,
  journal,
  leftovers,
  ending,
  http,
  page,
];

const names = rows.map(({ name }) => name).join(', ');
const help = `Usage: npm run bench -- [--only <row>]… [--json]

  --only <row>  measure only this row; repeatable: ${names}
  --json        print JSON instead of a table
`;

process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143));
process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const unknown = values.only.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown row: ${unknown}. Rows: ${names}\n`);
    return 2;
  }
  const wanted = rows.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const finished: Finished[] = [];
  for (const row of wanted.filter(isMeasurable)) finished.push(await finish(row));
  const isWithinBudget = finished.every(({ lines }) => lines.every(({ ok }) => ok));
  const machine = { node: process.version, platform: process.platform, loadAverage: loadavg()[0] };
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ...machine, ok: isWithinBudget, rows: finished }, undefined, 2)}\n`
      : `${toTable(finished)}\n`,
  );
  return isWithinBudget ? 0 : 1;
}

function isMeasurable({ name, platform }: Row): boolean {
  if (platform === undefined || platform === process.platform) return true;
  process.stderr.write(`${name}: skipped, because it can be measured only on ${platform}\n`);
  return false;
}

async function finish(row: Row): Promise<Finished> {
  process.stderr.write(`${row.name} …\n`);
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  try {
    const measurement = await row.measure();
    return { name: row.name, lines: toLines(row, measurement), note: measurement.detail, seconds: seconds() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      name: row.name,
      lines: toLines(row, undefined),
      note: `not measured: ${reason}`,
      seconds: seconds(),
    };
  }
}
