import type { Clock } from '../core/clock.js';
import type { Routes } from './routes.js';

export interface IdleSettings {
  readonly clock: Clock;
  readonly idleMs: number;
  /** Whether something runs without a client. */
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

/** Notices that a service has had no client and no work for a time. */
export class IdleWatch {
  readonly #settings: IdleSettings;
  #open = 0;
  #usedAt: number;
  #stop: () => void = () => undefined;

  constructor(settings: IdleSettings) {
    this.#settings = settings;
    this.#usedAt = settings.clock.elapsed();
    this.#checkIn(settings.idleMs);
  }

  /** The same routes, watched. */
  watch(routes: Routes): Routes {
    return async (request, exchange) => {
      // Health checks never stop.
      if (!/^\/(mcp|api)/.test(new URL(request.url).pathname)) return routes(request, exchange);
      // Nor do strangers keep a service.
      const admitted = (): void => {
        exchange.admitted?.();
        this.#open += 1;
        void exchange.closed.then(() => {
          this.#open -= 1;
          this.#usedAt = this.#settings.clock.elapsed();
        });
      };
      return routes(request, { ...exchange, admitted });
    };
  }

  close(): void {
    this.#stop();
  }

  #checkIn(ms: number): void {
    this.#stop = this.#settings.clock.after(ms, () => this.#check());
  }

  #check(): void {
    const { clock, idleMs, isBusy, onIdle } = this.#settings;
    if (this.#open > 0 || isBusy()) this.#usedAt = clock.elapsed();
    const leftMs = this.#usedAt + idleMs - clock.elapsed();
    if (leftMs <= 0) onIdle();
    else this.#checkIn(leftMs);
  }
}
