/** Memory, descriptors and processes of a server under work. Linux only. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from '../kit/until.js';

export const soakEntry = fileURLToPath(new URL('soak-entry.mjs', import.meta.url));

/** The heap of the server after a collection, in bytes. */
export async function heapOf(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await until('the server writes its heap size', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
  return Number(readFileSync(file, 'utf8'));
}

/** Watches how many descriptors the server has open at once. */
export class Descriptors {
  peak = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #folder: string;

  constructor(pid: number) {
    this.#folder = `/proc/${pid}/fd`;
    this.#timer = setInterval(() => (this.peak = Math.max(this.peak, this.now())), 20);
  }

  now(): number {
    try {
      return readdirSync(this.#folder).length;
    } catch {
      // The server has exited.
      return 0;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
