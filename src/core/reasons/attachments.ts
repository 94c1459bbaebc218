import type { ReasonTable } from './reason.js';

interface AttachedFile {
  /** As the caller wrote it: where a link leads is not for every caller to know. */
  readonly path: string;
}

/** Files that cannot be attached to a prompt. */
export const attachmentReasons = {
  attachment_unusable: {
    code: 'INVALID_ARGUMENT',
    message: ({ path, problem }: AttachedFile & { readonly problem: AttachmentProblem }) =>
      `the file ${path} ${problem}`,
  },
  attachment_type: {
    code: 'INVALID_ARGUMENT',
    message: ({ path }: AttachedFile) =>
      `the file ${path} is not a PNG, JPEG, GIF or WebP image, a PDF, or UTF-8 text`,
  },
  attachment_too_large: {
    code: 'INVALID_ARGUMENT',
    message: ({ path, kind, limit, unit }: AttachedFile & FileLimit) =>
      `the file ${path} is too large: ${kind} may have at most ${limit} ${unit}`,
  },
  attachments_too_large: {
    code: 'INVALID_ARGUMENT',
    message: ({ limit }: { readonly limit: number }, keys) =>
      `the files in ${keys('attachments')} are too large together: encoded, they may have at most ${limit} characters`,
  },
  attachment_outside: {
    code: 'PERMISSION_DENIED',
    message: ({ path }: AttachedFile) => `the file ${path} is outside the session's folders`,
  },
  attachment_protected: {
    code: 'PERMISSION_DENIED',
    message: ({ path }: AttachedFile) =>
      `the file ${path} is in a protected folder (keys, credentials, devices or records of this server)`,
  },
  attachment_denied: {
    code: 'PERMISSION_DENIED',
    message: ({ path, rule }: AttachedFile & { readonly rule: string }) =>
      `the permission rule ${rule} may forbid the session to read the file ${path}`,
  },
  attachment_needs_approval: {
    code: 'PERMISSION_DENIED',
    message: ({ path, why }: AttachedFile & { readonly why: string }) =>
      `reading the file ${path} needs approval: ${why}`,
  },
  queue_too_large: {
    code: 'SESSION_BUSY',
    message: ({ what, limit }: { readonly what: 'files' | 'text'; readonly limit: number }) =>
      `the ${what} of queued prompts may have at most ${limit} bytes together, encoded`,
  },
} as const satisfies ReasonTable;

type AttachmentProblem =
  'does not exist' | 'is not a regular file' | 'cannot be read' | 'is empty' | 'is a damaged image';

interface FileLimit {
  readonly kind: 'an image' | 'a PDF' | 'a text';
  readonly limit: number;
  readonly unit: 'bytes' | 'pixels on each side';
}
