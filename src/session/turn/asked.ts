import { factsOf, type AttachmentFacts } from '../../core/claude/attachment.js';
import type { Prompt } from '../../core/claude/backend.js';

/** The part of a prompt that matters after it was sent. */
export interface Asked extends Pick<Prompt, 'uuid' | 'text'> {
  readonly attachments?: readonly AttachmentFacts[] | undefined;
}

/** Without the files themselves, which would stay in memory. */
export function askedIn({ uuid, text, attachments }: Asked): Asked {
  return { uuid, text, attachments: attachments?.map(factsOf) };
}

/**
 * How much text of prompts the record of a session may hold in each of four places. It is one line of its journal, and
 * lines of more than 16 MiB are not read again.
 */
export const maxSavedBytes = 3_400_000;

/** How much of a record these prompts take. Some characters need six bytes. */
export function savedBytesOf(prompts: readonly Asked[]): number {
  return prompts.reduce((sum, prompt) => sum + Buffer.byteLength(JSON.stringify(labelOf(prompt))), 0);
}

/** A prompt in a list of prompts, with the paths of its files. */
export function labelOf({ text, attachments = [] }: Asked): string {
  if (attachments.length === 0) return text;
  return `${text}\n\n[attachments: ${attachments.map(({ path }) => path).join(', ')}]`;
}
