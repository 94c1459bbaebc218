import type { Audit, AuditEntry } from '../core/observability/audit.js';
import type { Clock } from '../core/clock.js';
import type { Meter, RefusalReason } from '../core/observability/measurements.js';
import { cutMiddle } from '../core/text/escape.js';
import type { Exchange } from './exchange.js';

export interface RefusalSettings {
  readonly audit: Audit;
  readonly meter: Meter;
  readonly clock: Clock;
}

/** The sender of a refused request, as far as it is known. */
export interface RefusedSender {
  readonly principal: string;
  readonly credential: string;
}

type RefusedEntry = Extract<AuditEntry, { what: 'request_refused' }>;

/** Repeated refusals within this time share an entry. Otherwise strangers could fill the disk. */
const windowMs = 60_000;
const maxKinds = 1_000;
const maxPathChars = 200;

/** Counts and audits every request that the service refuses. */
export class Refusals {
  readonly #settings: RefusalSettings;
  /** The refusals of this window. The first of each kind is recorded at once, the others at the end. */
  readonly #kinds = new Map<string, { readonly entry: RefusedEntry; more: number }>();
  #stopTimer: (() => void) | undefined;

  constructor(settings: RefusalSettings) {
    this.#settings = settings;
  }

  note(reason: RefusalReason, request: Request, { peer }: Exchange, sender?: RefusedSender): void {
    const { audit, meter, clock } = this.#settings;
    meter.measure({ what: 'request_refused', reason });
    const { principal, credential: login } = sender ?? {};
    const exact = JSON.stringify([reason, peer, principal, login]);
    const isRoom = this.#kinds.has(exact) || this.#kinds.size < maxKinds;
    const key = isRoom ? exact : reason;
    const kind = this.#kinds.get(key);
    if (kind !== undefined) {
      kind.more += 1;
      return;
    }
    const path = cutMiddle(new URL(request.url).pathname, maxPathChars);
    const entry = {
      what: 'request_refused',
      reason,
      peer: isRoom ? peer : 'many',
      path,
      principal,
      login,
      count: 1,
    } as const;
    audit.record(entry);
    this.#kinds.set(key, { entry, more: 0 });
    this.#stopTimer ??= clock.after(windowMs, () => this.flush());
  }

  /** Records what the current window has counted. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const { entry, more } of this.#kinds.values()) {
      if (more > 0) this.#settings.audit.record({ ...entry, count: more });
    }
    this.#kinds.clear();
  }
}
