import type { RefusalReason } from '../core/observability/measurements.js';

/** One HTTP request and its answer, as far as a web-standard Request does not describe it. */
export interface Exchange {
  /** Resolves when the answer is complete or the connection is gone. */
  readonly closed: Promise<void>;
  /** The address of the peer. Behind a proxy, that of the proxy. */
  readonly peer: string;
  /** Called when the sender is known: until then, the connection may be closed to make room for others. */
  readonly admitted?: () => void;
}

/** An exchange whose sender was admitted before its request had arrived. */
export interface AdmittedExchange extends Exchange {
  /** Asked when the whole request has arrived. The refusal, if the credential of its sender has ended meanwhile. */
  readonly refuseEnded: () => Promise<Response | undefined>;
  /** Counts and audits a refusal of this request. */
  readonly note: (reason: RefusalReason) => void;
}
