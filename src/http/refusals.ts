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

interface Kind {
  readonly entry: RefusedEntry;
  more: number;
}

/** Repeated refusals within this time share an entry. Otherwise strangers could fill the disk. */
const windowMs = 60_000;
/** Of strangers, and of senders that are known. */
const maxKinds = 1_000;
const maxPathChars = 200;

/** Counts and audits every request that the service refuses. */
export class Refusals {
  readonly #settings: RefusalSettings;
  /** The refusals of this window. The first of each kind is recorded at once, the others at the end. */
  readonly #ofStrangers = new Map<string, Kind>();
  /** Apart, so that strangers cannot hide who else was refused. */
  readonly #ofSenders = new Map<string, Kind>();
  #stopTimer: (() => void) | undefined;

  constructor(settings: RefusalSettings) {
    this.#settings = settings;
  }

  note(reason: RefusalReason, request: Request, { peer }: Exchange, sender?: RefusedSender): void {
    const { audit, meter, clock } = this.#settings;
    meter.measure({ what: 'request_refused', reason });
    const kinds = sender === undefined ? this.#ofStrangers : this.#ofSenders;
    const exact = JSON.stringify([reason, peer, sender?.principal, sender?.credential]);
    const isRoom = kinds.has(exact) || kinds.size < maxKinds;
    const key = isRoom ? exact : reason;
    const kind = kinds.get(key);
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
      principal: isRoom ? sender?.principal : undefined,
      login: isRoom ? sender?.credential : undefined,
      count: 1,
    } as const;
    audit.record(entry);
    kinds.set(key, { entry, more: 0 });
    this.#stopTimer ??= clock.after(windowMs, () => this.flush());
  }

  /** Records what the current window has counted. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const kinds of [this.#ofStrangers, this.#ofSenders]) {
      for (const { entry, more } of kinds.values()) {
        if (more > 0) this.#settings.audit.record({ ...entry, count: more });
      }
      kinds.clear();
    }
  }
}
