import { relative, sep } from 'node:path';
import {
  attachedTag,
  attachmentLimits,
  isImageType,
  type AttachmentBlock,
  type ImageType,
  type MediaType,
} from '../../core/claude/attachment.js';
import { AppError } from '../../core/errors.js';
import { isInside } from '../../core/paths.js';
import { escapeHidden } from '../../core/text/escape.js';
import { imageSizeOf } from './image-size.js';
import { textOf } from './media-type.js';

export interface ReadFile {
  /** As the caller wrote it. */
  readonly asked: string;
  readonly real: string;
  readonly cwd: string;
  readonly bytes: Buffer;
  readonly mediaType: MediaType;
  /** Not to be guessed: the file must not be able to contain its own end. */
  readonly id: string;
}

/** The parts of the message that carry a file. Throws if the API would refuse the image. */
export function toBlocks(file: ReadFile): readonly AttachmentBlock[] {
  const { bytes, mediaType } = file;
  if (isImageType(mediaType)) {
    refuseImage(file, mediaType);
    const source = { type: 'base64', media_type: mediaType, data: bytes.toString('base64') } as const;
    return [tag(file), { type: 'image', source }];
  }
  if (mediaType === 'application/pdf') {
    const source = { type: 'base64', media_type: mediaType, data: bytes.toString('base64') } as const;
    return [tag(file), { type: 'document', source }];
  }
  return [framed(file, textOf(bytes) ?? '')];
}

function refuseImage({ asked: path, bytes }: ReadFile, type: ImageType): void {
  const size = imageSizeOf(type, bytes);
  if (size === undefined) throw new AppError('attachment_unusable', { path, problem: 'is a damaged image' });
  const { imagePixels: limit } = attachmentLimits;
  if (Math.max(size.width, size.height) > limit)
    throw new AppError('attachment_too_large', {
      path,
      kind: 'an image',
      limit,
      unit: 'pixels on each side',
    });
}

/** Names the file that follows. */
function tag(file: ReadFile): AttachmentBlock {
  return { type: 'text', text: `<${attachedTag} path=${nameOf(file)} type="${file.mediaType}" />` };
}

function framed(file: ReadFile, text: string): AttachmentBlock {
  const { id } = file;
  const start = `<${attachedTag} path=${nameOf(file)} id="${id}">`;
  return { type: 'text', text: `${start}\n${text}\n</${attachedTag} id="${id}">` };
}

/** Quoted, because a file can have any name. */
function nameOf({ real, cwd }: ReadFile): string {
  const name = isInside(real, cwd) ? relative(cwd, real).replaceAll(sep, '/') : real;
  return JSON.stringify(escapeHidden(name));
}
