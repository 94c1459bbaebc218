import type { MediaType } from '../../core/claude/attachment.js';

/** As many bytes as tell the formats apart. */
export const signatureBytes = 16;

/** The first bytes of each format. A name says nothing: the API refuses an image of another type. */
const signatures: readonly (readonly [MediaType, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (bytes) => startsWith(bytes, '\xff\xd8\xff')],
  ['image/gif', (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')],
  ['image/webp', (bytes) => startsWith(bytes, 'RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP'],
  ['application/pdf', (bytes) => startsWith(bytes, '%PDF-')],
];

/** The type of a file, from its first bytes. Text has no signature, so anything else may be text. */
export function likelyType(start: Buffer): MediaType {
  const [known] = signatures.find(([, isIt]) => isIt(start)) ?? [];
  return known ?? 'text/plain';
}

/** The text of a file; undefined if it is not UTF-8, or contains a NUL, as no text does. */
export function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function startsWith(bytes: Buffer, start: string): boolean {
  return bytes.toString('latin1', 0, start.length) === start;
}
