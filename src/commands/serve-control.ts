import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config/config-error.js';
import { messageOf, sentence } from '../core/errors.js';

/** The service of a state folder. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  isAlive(): Promise<boolean>;
}

export interface ControlSettings<R extends Running> {
  readonly stateDir: string;
  readonly find: () => Promise<R | undefined>;
  /** Whether the service accepts calls. */
  readonly isReady: (running: R) => Promise<boolean>;
  /** Asks a process to end. */
  readonly end: (pid: number) => void;
  readonly json: boolean;
}

export interface ControlOutput {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

/** A service ends within 3 seconds. */
const endLimitMs = 10_000;
const pollMs = 50;

/** The output of `serve status`. */
export async function serveStatus<R extends Running>(settings: ControlSettings<R>): Promise<ControlOutput> {
  const { json, stateDir, isReady } = settings;
  const running = await findIn(settings);
  if (running === undefined)
    return {
      text: json
        ? toLine({ isRunning: false })
        : `No service runs in ${stateDir}. To start one: claude-code-mcp serve\n`,
      exitCode: 1,
    };
  const { url, pid } = running;
  const ready = await isReady(running);
  const problem = ready ? '' : ' It does not answer: it may be starting, shutting down or overloaded.';
  return {
    text: json
      ? toLine({ isRunning: true, isReady: ready, url, pid })
      : `A service runs at ${url}, process ${pid}.${problem}\n`,
    exitCode: ready ? 0 : 1,
  };
}

/** The output of `serve stop`. Ends only the process that has announced itself, by its id and start time. */
export async function serveStop<R extends Running>(settings: ControlSettings<R>): Promise<ControlOutput> {
  const { json, stateDir, end } = settings;
  const running = await findIn(settings);
  if (running === undefined)
    return {
      text: json ? toLine({ wasRunning: false }) : `No service runs in ${stateDir}.\n`,
      exitCode: 0,
    };
  const { url, pid } = running;
  end(pid);
  for (const limit = performance.now() + endLimitMs; await running.isAlive(); await delay(pollMs))
    if (performance.now() > limit)
      throw new ConfigError(
        `The service at ${url} has not ended within ${endLimitMs / 1_000} seconds. Its process is ${pid}.`,
      );
  return {
    text: json ? toLine({ wasRunning: true, url, pid }) : `Stopped the service at ${url}, process ${pid}.\n`,
    exitCode: 0,
  };
}

async function findIn<R extends Running>({ stateDir, find }: ControlSettings<R>): Promise<R | undefined> {
  return find().catch((error: unknown) => {
    throw new ConfigError(
      `The service in ${stateDir} cannot be found: ${sentence(messageOf(error))} Run this command as the user of the service, or pass its --state-dir.`,
    );
  });
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
