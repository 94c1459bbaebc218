/** A connection whose client cannot always be reached. Over HTTP, it must keep a stream open for that. */
export interface Reach {
  /** Calls back now and after each change, until the connection ends. */
  watchReach(onChange: (isReachable: boolean) => void): void;
}

export function hasReach(connection: object | undefined): connection is Reach {
  return connection !== undefined && 'watchReach' in connection;
}

/** A server of one connection. It may still work on requests whose client has left. */
export interface Worker {
  /** Resolves when all requests that it works on now are done. */
  settled(): Promise<void>;
}

export function isWorker(server: object | undefined): server is Worker {
  return server !== undefined && 'settled' in server;
}
