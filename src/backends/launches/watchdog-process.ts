import { spawn, type ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { KnownLaunch } from './launch-record.js';
import type { WatchdogLine } from './watchdog.js';

export interface WatchdogSettings {
  readonly node: string;
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** It holds a few launches and sleeps. */
const nodeOptions = ['--max-old-space-size=32', '--max-semi-space-size=1', '--v8-pool-size=1'];

/** A watchdog that dies this often between two launches is not started again. */
const maxLosses = 3;

/**
 * The process that outlives this server and ends its launches. It starts with the first launch. Its pipe holds what is
 * written to it, so nobody waits until it runs.
 */
export class WatchdogProcess {
  readonly #settings: WatchdogSettings;
  readonly #launches = new Map<string, KnownLaunch>();
  #child: ChildProcess | undefined;
  #losses = 0;

  constructor(settings: WatchdogSettings) {
    this.#settings = settings;
  }

  /** Written to the pipe when this returns, so it holds even if the server is killed at once. */
  tell(launch: KnownLaunch): void {
    if (!this.#launches.has(launch.marker)) this.#losses = 0;
    this.#launches.set(launch.marker, launch);
    if (this.#child === undefined) this.#start();
    else this.#send(launch);
  }

  forget(marker: string): void {
    if (this.#launches.delete(marker)) this.#send({ ended: marker });
  }

  #start(): void {
    const { node, script, environment } = this.#settings;
    try {
      const child = spawn(node, [...nodeOptions, script], {
        // A signal to the server's group must not reach it.
        detached: true,
        // Not the folder of the server, which could not be removed on Windows.
        cwd: dirname(node),
        env: environment,
        stdio: ['pipe', 'ignore', 'ignore'],
        windowsHide: true,
      });
      this.#child = child;
      child.once('error', (error) => this.#lose(child, error.message));
      child.once('exit', (code, signal) => this.#lose(child, `it exited with ${signal ?? code}`));
      // Its exit says more than a failed write.
      child.stdin?.on('error', () => undefined);
      child.unref();
      for (const launch of this.#launches.values()) this.#send(launch);
    } catch (error) {
      this.#warn(messageOf(error));
    }
  }

  #send(line: WatchdogLine): void {
    this.#child?.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  #lose(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#losses += 1;
    if (this.#launches.size === 0) return;
    if (this.#losses < maxLosses) this.#start();
    else this.#warn(reason);
  }

  #warn(reason: string): void {
    this.#settings.logger.log(
      'warn',
      'the watchdog cannot run: if this server is killed, Claude Code continues until the next server starts',
      { reason },
    );
  }
}
