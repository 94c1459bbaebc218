import type { App, AppConfig } from '../app.js';
import { Opening } from '../../opening/opening.js';
import { OpeningStdio, type Opened } from '../../opening/opening-stdio.js';

/** Page and metrics work without a client, but after its first requests. */
const handOverMs = 250;

/** A server over stdin and stdout. It loads when a message arrives that a stored answer does not settle. */
export class StdioServer {
  readonly #config: AppConfig;
  #app: Promise<App> | undefined;

  constructor(config: AppConfig) {
    this.#config = config;
  }

  /** Serves until the client disconnects. */
  async serve(): Promise<void> {
    const opened = await this.#open();
    if (opened === undefined) return;
    const app = await this.#load();
    await app.start(opened).ended;
  }

  async close(): Promise<void> {
    const app = await this.#app?.catch(() => undefined);
    await (app ?? this.#config.audit)?.close();
  }

  /** Undefined if the connection has ended. */
  async #open(): Promise<Opened | undefined> {
    const { settings, answers } = this.#config;
    const { stdin: input, stdout: output } = process;
    if (answers === undefined || input.isTTY) return { passed: [], input, output };
    const opening = new OpeningStdio({ input, output }, new Opening(answers));
    const worksAlone = [settings.web, settings.metrics].some(
      (place) => place !== undefined && place !== 'off',
    );
    if (worksAlone) setTimeout(() => opening.handOver(), handOverMs).unref();
    return opening.over;
  }

  #load(): Promise<App> {
    return (this.#app ??= import('../app.js').then(({ createApp }) => createApp(this.#config)));
  }
}
