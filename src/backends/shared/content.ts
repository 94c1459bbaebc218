import type { AttachmentBlock } from '../../core/claude/attachment.js';
import type { Prompt } from '../../core/claude/backend.js';

/**
 * The content of a user message. The prompt is last: Claude Code takes the last part for what the user wrote, and only
 * there expands commands, where the session allows them.
 */
export function contentOf({ text, attachments = [] }: Prompt): string | AttachmentBlock[] {
  if (attachments.length === 0) return text;
  return [...attachments.flatMap(({ blocks }) => blocks), { type: 'text', text }];
}
