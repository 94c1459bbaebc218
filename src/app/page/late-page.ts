import { messageOf } from '../../core/errors.js';
import type { AnswerPage } from '../../core/forms.js';
import type { PageConfig } from './page-config.js';
import type { BesideParts, OpenPage } from './page-beside-stdio.js';

/** The page opens after the first answers, so that start-up does not pay for it. */
const openDelayMs = 300;

/** The page of a server over stdin and stdout, which does not exist yet when the server starts. */
export class LatePage implements AnswerPage {
  readonly #config: PageConfig;
  readonly #parts: BesideParts;
  #opening: Promise<OpenPage | undefined> | undefined;
  #open: OpenPage | undefined;

  constructor(config: PageConfig, parts: BesideParts) {
    this.#config = config;
    this.#parts = parts;
  }

  openSoon(): void {
    setTimeout(() => {
      this.#opening = this.#load();
    }, openDelayMs).unref();
  }

  linkTo(requestId: string): string | undefined {
    return this.#open && linkIn(this.#open.origin, requestId);
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #load(): Promise<OpenPage | undefined> {
    try {
      const { openPageBeside } = await import('./page-beside-stdio.js');
      return (this.#open = await openPageBeside(this.#config, this.#parts));
    } catch (error) {
      // Sessions must work without the page.
      this.#config.logger.log('error', 'the page could not be opened', { reason: messageOf(error) });
      return undefined;
    }
  }
}

/** Undefined unless the operator turns it on. Never inside a session, which could use it to approve its own requests. */
export function latePage(config: PageConfig, parts: BesideParts): LatePage | undefined {
  const { settings, depth } = config;
  const isOff = settings.web === undefined || settings.web === 'off' || depth > 0;
  return isOff ? undefined : new LatePage(config, parts);
}

/** Where a person answers a request. The address contains no credential. */
export function linkIn(origin: string, requestId: string): string {
  return `${origin}/#request=${encodeURIComponent(requestId)}`;
}
