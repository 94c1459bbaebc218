import type { IncomingMessage } from 'node:http';

/** More than any tool call of Claude Code holds. */
const maxBodyBytes = 10 * 1024 * 1024;

/** The body, or the status that refuses it. */
export async function readBody(request: IncomingMessage): Promise<string | number> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return 413;
  const parts: Buffer[] = [];
  let bytes = 0;
  // Left open where it is too long: whoever sends it is still to be told.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return 413;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
