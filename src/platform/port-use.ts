import { createServer } from 'node:net';

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
