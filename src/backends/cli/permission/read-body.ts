import type { IncomingMessage } from 'node:http';

/** Larger than any tool call of Claude Code. */
const maxBodyBytes = 10 * 1024 * 1024;

/** The body, or the HTTP status of the refusal. */
export async function readBody(request: IncomingMessage): Promise<string | number> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return 413;
  const parts: Buffer[] = [];
  let bytes = 0;
  // Keeps the connection open when a body is too long, so that the refusal can be sent.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return 413;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
