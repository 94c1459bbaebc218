/** Results of a bench, and the file from which docs/performance.md and its chart are generated. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Finished } from './report.js';

export interface Machine {
  readonly day: string;
  readonly node: string;
  readonly platform: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** At the end of the bench. Much more than its own processes need means that the figures are noisy. */
  readonly loadAverage: number;
}

export interface Results {
  readonly machine: Machine;
  readonly ok: boolean;
  readonly rows: readonly Finished[];
}

const path = fileURLToPath(new URL('../../docs/performance.json', import.meta.url));

export function describeMachine(): Machine {
  return {
    day: new Date().toISOString().slice(0, 10),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    loadAverage: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
}

export function readResults(): Results | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : undefined;
}

/** Replaces the rows that were measured, and drops those that no longer exist. */
export function saveResults(results: Results, names: readonly string[]): void {
  writeFileSync(path, `${JSON.stringify(merged(readResults(), results, names), undefined, 2)}\n`);
}

export function merged(known: Results | undefined, results: Results, names: readonly string[]): Results {
  const byName = new Map([...(known?.rows ?? []), ...results.rows].map((row) => [row.name, row]));
  const rows = names.flatMap((name) => byName.get(name) ?? []);
  return { machine: results.machine, ok: rows.every(({ lines }) => lines.every(({ ok }) => ok)), rows };
}
