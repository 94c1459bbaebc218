import { connect } from 'node:net';

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
    socket.once('error', (error: NodeJS.ErrnoException) => end(problems[error.code ?? ''] ?? error.message));
  });
}

const problems: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved',
  ECONNREFUSED: 'connection refused',
  ENETUNREACH: 'no network',
};
