type RequestId = string | number;

/** A server of one connection. It may still work on requests whose client has left or has cancelled them. */
export interface Worker {
  /** Resolves when these requests, or all that it works on now, are done. */
  settled(ids?: readonly RequestId[]): Promise<void>;
}

/** Resolves when a server has done its work, as far as it knows. */
export async function settledWork(server: object | undefined, ids?: readonly RequestId[]): Promise<void> {
  if (isWorker(server)) await server.settled(ids);
}

function isWorker(server: object | undefined): server is Worker {
  return server !== undefined && 'settled' in server;
}
