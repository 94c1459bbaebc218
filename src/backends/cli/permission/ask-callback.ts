import { request } from 'node:http';
import { callbackPath, type PermissionQuestion } from './protocol.js';

export interface CallbackAddress {
  readonly port: string;
  readonly token: string;
}

/** No answer is longer than this. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Asks the server, and waits until a person answers. Rejects when the response is not an answer. */
export function askCallback(
  question: PermissionQuestion,
  { port, token }: CallbackAddress,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Not fetch, which times out after five minutes.
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        path: callbackPath,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        agent: false,
        signal,
      },
      (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > maxAnswerBytes) asking.destroy(new Error('the answer of the server is too long'));
          else parts.push(part);
        });
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8').trim();
          if (response.statusCode === 200 && response.complete && text !== '') resolve(text);
          else reject(new Error(`the server answered ${response.statusCode ?? 'nothing'}`));
        });
      },
    );
    asking.on('error', reject);
    asking.end(JSON.stringify(question));
  });
}
