import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { ProcessIdentity, ProcessTable, SystemUser } from '../../core/processes.js';
import { LaunchFiles } from './launch-files.js';
import type { KnownLaunch, LaunchRecord, ServerIdentity } from './launch-record.js';
import type { WatchdogProcess } from './watchdog-process.js';

export interface LaunchSettings {
  /** Contains one folder for each live launch. */
  readonly folder: string;
  /** If another user runs Claude Code: that user, and the folder for the files that Claude Code reads. */
  readonly reader?: { readonly user: SystemUser; readonly folder: string } | undefined;
  readonly watchdog: Pick<WatchdogProcess, 'tell' | 'forget'>;
  readonly processes: Pick<ProcessTable, 'startTimeOf'>;
  readonly server: Promise<ServerIdentity>;
  readonly logger: Logger;
}

export const recordName = 'launch.json';

/** Makes every launch known outside this server before it starts: to the watchdog, and to the next server by a file. */
export class Launches {
  readonly #settings: LaunchSettings;
  #server: ServerIdentity | undefined;

  constructor(settings: LaunchSettings) {
    this.#settings = settings;
    settings.server.then(
      (server) => (this.#server = server),
      () => undefined,
    );
  }

  /** Called before Claude Code starts. */
  open(marker: string): OpenLaunch {
    return new OpenLaunch(marker, { ...this.#settings, serverNow: () => this.#server });
  }
}

interface OpenLaunchSettings extends LaunchSettings {
  readonly serverNow: () => ServerIdentity | undefined;
}

/** A launch until all its processes have ended. */
export class OpenLaunch {
  readonly #settings: OpenLaunchSettings;
  readonly #marker: string;
  #files: LaunchFiles | undefined;
  #filesForReader: LaunchFiles | undefined;
  #isOpen = true;
  #claude: ProcessIdentity | undefined;

  constructor(marker: string, settings: OpenLaunchSettings) {
    this.#marker = marker;
    this.#settings = settings;
    settings.watchdog.tell(this.#known());
    this.#record(this.#known());
  }

  /** Writes a file that Claude Code reads; returns its path. */
  write(name: string, content: string): string {
    return this.#filesForClaude().write(name, content);
  }

  /** Creates an empty folder in which Claude Code waits for its session; returns its path. */
  createParking(): string {
    return this.#filesForClaude().createFolder('parking');
  }

  /** Claude Code, even if it has exited. Undefined until its start time is known. */
  get claude(): ProcessIdentity | undefined {
    return this.#claude;
  }

  /** `isAlive` must be true as long as the pid cannot belong to another process. */
  async started(pid: number, isAlive: () => boolean): Promise<void> {
    const { processes, watchdog } = this.#settings;
    const startTime = await processes.startTimeOf(pid);
    if (startTime === undefined || !isAlive() || !this.#isOpen) return;
    this.#claude = { pid, startTime };
    const launch = this.#known(this.#claude);
    watchdog.tell(launch);
    this.#record(launch);
  }

  close(): void {
    this.#isOpen = false;
    this.#settings.watchdog.forget(this.#marker);
    try {
      this.#files?.remove();
      this.#filesForReader?.remove();
    } catch (error) {
      this.#warn('the files of a launch could not be removed', error);
    }
  }

  /** Some of its processes may live: the watchdog or the next server ends them. */
  abandon(error: unknown): void {
    this.#isOpen = false;
    this.#warn('processes of a session may have survived: they end with the server at the latest', error);
  }

  #filesForClaude(): LaunchFiles {
    const { folder, reader } = this.#settings;
    if (reader === undefined) return (this.#files ??= new LaunchFiles(folder));
    // Apart from the record, which decides what is killed.
    return (this.#filesForReader ??= new LaunchFiles(reader.folder, reader.user));
  }

  #known(claude?: ProcessIdentity): KnownLaunch {
    const uid = this.#settings.reader?.user.uid;
    return {
      marker: this.#marker,
      ...(claude === undefined ? {} : { claude }),
      ...(uid === undefined ? {} : { uid }),
    };
  }

  /** Without a file, the watchdog still ends the launch. */
  #record(launch: KnownLaunch): void {
    const record: LaunchRecord = { ...launch, server: this.#settings.serverNow() };
    try {
      this.#files ??= new LaunchFiles(this.#settings.folder);
      this.#files.replace(recordName, JSON.stringify(record));
    } catch (error) {
      this.#warn('a launch could not be recorded', error);
    }
  }

  #warn(message: string, error: unknown): void {
    this.#settings.logger.log('warn', message, { reason: messageOf(error) });
  }
}
