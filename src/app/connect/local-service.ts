import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NoServiceError } from '../../bridge/failure.js';
import type { Target } from '../../bridge/link.js';
import type { Restrictions } from '../../config/restrictions.js';
import { messageOf } from '../../core/errors.js';
import { withoutLinks } from '../../files/regular-file.js';
import type { TokenFile } from '../../http/auth/token-file.js';
import * as processes from '../../platform/processes.js';
import { startDetached } from '../../platform/start-detached.js';
import { Servers } from '../../state/server-mark.js';
import { ServiceAddress, type RunningService } from '../../state/service-address.js';
import { FolderLocks, isHolder, type SessionLock } from '../../state/session-locks.js';
import { serviceLogPath } from '../service/bounded-log.js';
import { connectToken } from './connect-token.js';

export interface LocalServiceSettings {
  readonly stateDir: string;
  readonly tokens: TokenFile;
  readonly tokenPath: string;
  /** Settings of this client that restrict what a service does for it. */
  readonly restrictions: Restrictions;
  /** The program and arguments that start a service. */
  readonly script: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
}

const pollMs = 50;
const startLimitMs = 20_000;
const maxReason = 600;

/** The user's own service on this machine. Starts one if there is none. */
export class LocalService {
  readonly #settings: LocalServiceSettings;
  readonly #address: ServiceAddress;
  readonly #locks: FolderLocks;

  constructor(settings: LocalServiceSettings) {
    const { stateDir } = settings;
    const servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf });
    this.#settings = settings;
    this.#address = new ServiceAddress(stateDir, servers);
    this.#locks = new FolderLocks({ folder: join(stateDir, 'service.locks'), servers });
  }

  /** Throws a NoServiceError, with words for the client. */
  async target(): Promise<Target> {
    try {
      return await this.#exclusively(async () => {
        // First, because a service that finds no token at its first start would show one in its log.
        const token = await connectToken(this.#settings.tokens, this.#settings.tokenPath);
        // A service that starts may be that of a person, with other settings.
        const running = (await this.#address.find()) ?? (await this.#start());
        refuseLooser(running, this.#settings.restrictions);
        return { token, ...running.address };
      });
    } catch (error) {
      throw error instanceof NoServiceError
        ? error
        : new NoServiceError(`Your service could not be found: ${messageOf(error)}`);
    }
  }

  /** Several clients of a person often start at the same time. One of them starts the service. */
  async #exclusively<T>(act: () => Promise<T>): Promise<T> {
    const lock = await this.#lock();
    try {
      return await act();
    } finally {
      await lock.release();
    }
  }

  async #lock(): Promise<SessionLock> {
    for (const end = performance.now() + 2 * startLimitMs; ; await delay(pollMs)) {
      const taken = await this.#locks.take('connect');
      if (!isHolder(taken)) return taken;
      if (performance.now() > end)
        throw new NoServiceError(
          `Process ${taken.pid} has been starting a service for too long. End it, then repeat the call.`,
        );
    }
  }

  async #start(): Promise<RunningService> {
    const { stateDir, restrictions: _restrictions, ...program } = this.#settings;
    const path = serviceLogPath(stateDir);
    const log = await open(
      path,
      // Appends, so that the service can shorten the file.
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_TRUNC | withoutLinks,
      0o600,
    );
    let hasExited = false;
    try {
      void startDetached({ ...program, log: log.fd }).then(() => (hasExited = true));
    } finally {
      await log.close();
    }
    for (const end = performance.now() + startLimitMs; performance.now() < end; await delay(pollMs)) {
      const isOver = hasExited;
      const running = await this.#address.find();
      if (running !== undefined) return running;
      if (isOver) throw new NoServiceError(await exitReason(path));
    }
    throw new NoServiceError(
      `The service did not start within ${startLimitMs / 1_000} seconds. See ${path}, or start it yourself: claude-code-mcp serve`,
    );
  }
}

/** The service has the settings of the client that started it. Others would lose their restrictions without a word. */
function refuseLooser({ restrictions: actual, pid }: RunningService, wanted: Restrictions): void {
  const [key, value] = Object.entries(wanted).find(([name, one]) => actual[name] !== one) ?? [];
  if (key !== undefined)
    throw new NoServiceError(
      `This client sets ${key} to ${value}, but your service, which runs already (process ${pid}), has ${actual[key] ?? 'an unknown value'}. Set the same value for all clients, or stop the service with "claude-code-mcp serve stop": it then starts again with the settings of the next client.`,
    );
}

async function exitReason(path: string): Promise<string> {
  const log = await readFile(path, 'utf8').catch(() => '');
  return `The service could not be started. ${log.trim().slice(-maxReason)} To see more, run: claude-code-mcp serve`;
}
