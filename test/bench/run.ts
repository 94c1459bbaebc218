/** `npm run bench`: measures the performance budgets. The exit code is 1 when a row is over budget. */
import { parseArgs } from 'node:util';
import { compareWith, toComparison } from './against.js';
import { approval } from './approval.js';
import { cheapRows } from './cheap-rows.js';
import { coldStarts } from './cold-starts.js';
import { cpu } from './cpu.js';
import { diskList } from './disk-list.js';
import { ending } from './ending.js';
import { firstCall } from './first-call.js';
import { followUp } from './follow-up.js';
import { growth } from './growth.js';
import { history } from './history.js';
import { hour } from './hour.js';
import { http } from './http.js';
import { journal } from './journal.js';
import { leftovers } from './leftovers.js';
import { page } from './page.js';
import { toLines, toTable, type Finished } from './report.js';
import { describeMachine, saveResults } from './results.js';
import type { Row } from './row.js';
import { sessionTime } from './session-time.js';
import { start } from './start.js';
import { toolsList } from './tools-list.js';
import { transcript } from './transcript.js';

const rows: readonly Row[] = [
  start,
  toolsList,
  hour,
  approval,
  sessionTime,
  firstCall,
  coldStarts,
  cpu,
  followUp,
  history,
  transcript,
  growth,
  diskList,
  journal,
  leftovers,
  ending,
  http,
  page,
];

const names = rows.map(({ name }) => name).join(', ');
const help = `Usage: npm run bench -- [options]

  --only <row>           measure only this row; repeatable: ${names}
  --cheap                measure only what does not depend on time, as CI does
  --json                 print JSON instead of a table
  --save                 also keep the results of these rows in docs/performance.json, for npm run gen
  --against "<command>"  measure start, tools/list, memory and exit of another MCP server beside this one
`;

process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143));
process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      cheap: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      against: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (values.against !== undefined) {
    return compare(values.against, values.json);
  }
  const unknown = values.only.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown row: ${unknown}. Rows: ${names}\n`);
    return 2;
  }
  const all = values.cheap ? cheapRows : rows;
  const wanted = all.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const finished: Finished[] = [];
  for (const row of wanted.filter(isMeasurable)) finished.push(await finish(row));
  const isWithinBudget = finished.every(({ lines }) => lines.every(({ ok }) => ok));
  const results = { machine: describeMachine(), ok: isWithinBudget, rows: finished };
  if (values.save)
    saveResults(
      results,
      rows.map(({ name }) => name),
    );
  process.stdout.write(`${values.json ? toJson(results) : toTable(finished)}\n`);
  return isWithinBudget ? 0 : 1;
}

async function compare(command: string, isJson: boolean): Promise<number> {
  try {
    const compared = await compareWith(command);
    process.stdout.write(`${isJson ? toJson(compared) : toComparison(compared)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
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
