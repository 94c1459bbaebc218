import type { FileHandle } from 'node:fs/promises';
import {
  attachmentLimits,
  isImageType,
  sentCharsOf,
  type Attachment,
  type MediaType,
} from '../../core/claude/attachment.js';
import { AppError } from '../../core/errors.js';
import type { IdSource } from '../../core/ids.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { oneLine } from '../../core/text/escape.js';
import { isMissing, NotRegularError, readBytes, TooLongError } from '../../files/regular-file.js';
import { openSettledFile } from '../../files/settled-file.js';
import { refuseAttachment, type AttachmentQuestion } from '../../policy/attachments/refuse-attachment.js';
import { realTargetsOf } from '../../session/approval/real-targets.js';
import type { SessionView } from '../../session/session-view.js';
import { realKeyFolders, type FolderSettings } from '../options/folder-facts.js';
import { likelyType, signatureBytes, textOf } from './media-type.js';
import { toBlocks } from './to-blocks.js';

export interface AttachmentReading extends Pick<AttachmentQuestion, 'policy' | 'standing' | 'options'> {
  readonly view: Pick<SessionView, 'judgeRead'>;
  readonly folders: FolderSettings;
  readonly ids: IdSource;
}

const shownPathChars = 300;

/** Reads the files that a prompt names, or throws. Nothing is read that the policy refuses. */
export async function readAttachments(
  paths: readonly string[],
  reading: AttachmentReading,
): Promise<readonly Attachment[]> {
  const { sentChars: limit } = attachmentLimits;
  const attachments: Attachment[] = [];
  // One after the other, so that no more is in memory than may be sent.
  for (const path of paths) {
    attachments.push(await readOne(path, reading));
    if (sentCharsOf(attachments) > limit) throw new AppError('attachments_too_large', { limit });
  }
  return attachments;
}

async function readOne(path: string, reading: AttachmentReading): Promise<Attachment> {
  const { options, ids } = reading;
  const asked = oneLine(path, shownPathChars);
  const real = settle(path, asked, reading);
  const { bytes, mediaType } = await readFile(asked, real, options);
  if (bytes.length === 0) throw new AppError('attachment_unusable', { path: asked, problem: 'is empty' });
  if (mediaType === 'text/plain' && textOf(bytes) === undefined)
    throw new AppError('attachment_type', { path: asked });
  const file = { asked, real, cwd: options.cwd, bytes, mediaType, id: ids.uuid() };
  return { path: real, mediaType, bytes: bytes.length, blocks: toBlocks(file) };
}

/** The real path of a file that may be attached. */
function settle(path: string, asked: string, reading: AttachmentReading): string {
  const { options, folders, policy, standing, view } = reading;
  const { home } = folders.claudeHome;
  const call = { toolName: 'Read', input: { file_path: path } };
  const [target] = realTargetsOf(call, { cwd: options.cwd, home }).targets;
  if (target === undefined)
    throw new AppError('attachment_unusable', { path: asked, problem: 'does not exist' });
  const { bounds } = folders;
  refuseAttachment({
    path: asked,
    target,
    options,
    bounds,
    realKeyFolders: realKeyFolders(bounds.home),
    home,
    policy,
    standing,
    judgeRead: (changed: EffectiveOptions) => view.judgeRead(path, changed),
  });
  return target.real;
}

interface Content {
  readonly bytes: Buffer;
  readonly mediaType: MediaType;
}

async function readFile(path: string, real: string, { cwd }: EffectiveOptions): Promise<Content> {
  try {
    const handle = await openSettledFile(real, cwd);
    try {
      const start = await handle.read(Buffer.alloc(signatureBytes), 0, signatureBytes, 0);
      const mediaType = likelyType(start.buffer.subarray(0, start.bytesRead));
      return { bytes: await readAll(path, handle, mediaType), mediaType };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('attachment_unusable', { path, problem: problemOf(error) });
  }
}

async function readAll(path: string, handle: FileHandle, mediaType: MediaType): Promise<Buffer> {
  const { kind, limit } = limitOf(mediaType);
  return readBytes(handle, limit).catch((error: unknown) => {
    if (!(error instanceof TooLongError)) throw error;
    throw new AppError('attachment_too_large', { path, kind, limit, unit: 'bytes' });
  });
}

function limitOf(mediaType: MediaType) {
  const { imageBytes, pdfBytes, textBytes } = attachmentLimits;
  if (isImageType(mediaType)) return { kind: 'an image', limit: imageBytes } as const;
  if (mediaType === 'text/plain') return { kind: 'a text', limit: textBytes } as const;
  return { kind: 'a PDF', limit: pdfBytes } as const;
}

function problemOf(error: unknown): 'does not exist' | 'is not a regular file' | 'cannot be read' {
  if (isMissing(error)) return 'does not exist';
  return error instanceof NotRegularError ? 'is not a regular file' : 'cannot be read';
}
