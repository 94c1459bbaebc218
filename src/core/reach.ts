/** A connection whose client cannot always be reached. Over HTTP, it must keep a stream open for that. */
export interface Reach {
  /** Calls back now and after each change, until the connection ends. */
  watchReach(onChange: (isReachable: boolean) => void): void;
}

export function hasReach(connection: object | undefined): connection is Reach {
  return connection !== undefined && 'watchReach' in connection;
}
