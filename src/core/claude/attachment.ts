const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];
export type MediaType = ImageType | 'application/pdf' | 'text/plain';

export function isImageType(type: MediaType): type is ImageType {
  return imageTypes.some((image) => image === type);
}

/** A part of a user message, as the Messages API takes it. */
export type AttachmentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string };
    }
  | {
      readonly type: 'document';
      readonly source: {
        readonly type: 'base64';
        readonly media_type: 'application/pdf';
        readonly data: string;
      };
    };

/** What may be recorded about an attached file: never its content. */
export interface AttachmentFacts {
  /** The real path. */
  readonly path: string;
  readonly mediaType: MediaType;
  readonly bytes: number;
}

/** A file that the model gets with a prompt, as it was when the call was accepted. */
export interface Attachment extends AttachmentFacts {
  readonly blocks: readonly AttachmentBlock[];
}

const mebibyte = 1_048_576;

/**
 * The API takes at most 5 MiB per image, encoded, and 8,000 pixels per side. A prompt is one line of the transcript,
 * and lines of more than 16 MiB are not read again.
 */
export const attachmentLimits = {
  files: 20,
  /** 5 MiB when encoded. */
  imageBytes: 3_932_160,
  imagePixels: 8_000,
  pdfBytes: 8 * mebibyte,
  /** As much as Claude Code reads of a file. */
  textBytes: 262_144,
  /** All files of a prompt, encoded. */
  sentChars: 12 * mebibyte,
  /** All files of prompts that wait for a turn, encoded. */
  queuedChars: 24 * mebibyte,
} as const;

/** The tag before an attached file. Only the server writes it, and never as the last part of a message. */
export const attachedTag = 'attached_file';

export function factsOf({ path, mediaType, bytes }: AttachmentFacts): AttachmentFacts {
  return { path, mediaType, bytes };
}

/** How much of a line the files of a prompt take. */
export function sentCharsOf(attachments: readonly Attachment[] = []): number {
  const blocks = attachments.flatMap((attachment) => attachment.blocks);
  return blocks.reduce((sum, block) => sum + charsOf(block), 0);
}

/** Base64 needs no escapes. Text may need six characters for one. */
function charsOf(block: AttachmentBlock): number {
  return block.type === 'text' ? JSON.stringify(block.text).length : block.source.data.length;
}
