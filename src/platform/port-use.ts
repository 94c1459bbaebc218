import { connect, createServer } from 'node:net';

const problems: Readonly<Record<string, 'taken' | 'forbidden' | 'no-address'>> = {
  EADDRINUSE: 'taken',
  EACCES: 'forbidden',
  EADDRNOTAVAIL: 'no-address',
  ENOTFOUND: 'no-address',
  EAI_AGAIN: 'no-address',
};

/** Tries to listen, and stops at once. Rejects with an error that it does not know. */
export function portUse(host: string, port: number): Promise<'free' | 'taken' | 'forbidden' | 'no-address'> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = problems[error.code ?? ''];
      if (problem === undefined) reject(error);
      else resolve(problem);
    });
    server.listen({ host, port }, () => server.close(() => resolve('free')));
  });
}

/** Opens a TCP connection and closes it at once, without sending anything. Undefined if that works. */
export function connectProblem(
  { host, port }: { readonly host: string; readonly port: number },
  limitMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: limitMs });
    const end = (problem: string | undefined): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => end(undefined));
    socket.once('timeout', () => end(`no answer within ${limitMs / 1_000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(connectProblems[error.code ?? ''] ?? error.message),
    );
  });
}

const connectProblems: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved',
  ECONNREFUSED: 'connection refused',
  ENETUNREACH: 'no network',
};
