/** Limits on sending a request and on reading its answer. Waiting for an answer has no limit here. */
export interface HttpLimits {
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  /** Time to send all headers, and to finish the TLS handshake. */
  readonly headersMs: number;
  /** Time to send the whole request. */
  readonly requestMs: number;
  /** Proxies reuse a connection for up to 60 seconds. It must not end a moment before they do. */
  readonly idleMs: number;
  /** Time to read an answer that no longer fits into the buffers. */
  readonly stallMs: number;
  /** Time to finish sending a request that was answered early. Closing at once could discard the answer. */
  readonly lingerMs: number;
}

export const defaultLimits: HttpLimits = {
  maxConnections: 1_000,
  maxHeaderBytes: 16_384,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 75_000,
  stallMs: 30_000,
  lingerMs: 2_000,
};
