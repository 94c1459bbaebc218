import * as z from 'zod';
import { toolOptions } from '../../../core/options/tools.js';
import { sessionIdField, topFields } from '../../shared/fields.js';

const actionNames = ['list', 'get', 'transcript', 'configure', 'rewind', 'interrupt', 'cancel'] as const;

export const sessionInput = z.strictObject({
  action: z.enum(actionNames),
  sessionId: sessionIdField.optional(),
  scope: z.enum(['server', 'disk', 'all']).optional().describe('disk and all include terminal sessions'),
  projectDirectory: z.string().min(1).max(4_096).optional(),
  query: z.string().max(1_000).optional(),
  limit: z.int().min(1).max(100).optional(),
  offset: z.int().min(0).max(999_999_999_999_999).optional(),
  order: z.enum(['newest', 'oldest']).optional(),
  includeSensitive: z.boolean().optional(),
  model: topFields.model,
  // Not an enum on the wire: claude_code lists the modes already, and every byte counts in every conversation.
  permissionMode: z.string().pipe(toolOptions.permissionMode.schema).optional(),
  messageId: z.uuid().optional(),
  dryRun: z.boolean().optional(),
});

export type SessionInput = z.infer<typeof sessionInput>;
