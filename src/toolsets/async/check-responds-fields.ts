import * as z from 'zod';
import { answersField, requestIdField, sessionIdField, waitField } from '../shared/fields.js';

/** The input of the four-tool design's claude_code_check. */
export const checkRespondsFields = {
  action: z.enum(['poll', 'respond_permission', 'respond_user_input']),
  sessionId: sessionIdField,
  cursor: z.int().min(0).optional(),
  responseMode: z.enum(['minimal', 'full']).optional().describe('full adds events'),
  requestId: requestIdField.optional(),
  decision: z.enum(['allow', 'deny']).optional(),
  denyMessage: z.string().max(20_000).optional(),
  interrupt: z.boolean().optional(),
  answers: answersField.describe('respond_user_input: by question text'),
  pollOptions: z
    .strictObject({
      waitMs: waitField,
      includeTools: z.boolean().optional(),
      includeEvents: z.boolean().optional(),
      includeUsage: z.boolean().optional(),
      maxEvents: z.int().min(1).max(500).optional(),
    })
    .optional(),
  permissionOptions: z
    .strictObject({
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      updatedPermissions: z.array(z.record(z.string(), z.unknown())).max(20).optional(),
    })
    .optional(),
};
