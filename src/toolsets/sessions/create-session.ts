import * as z from 'zod';
import { AppError } from '../../core/errors.js';
import { limitOptions } from '../../core/options/limits.js';
import { modelOptions } from '../../core/options/model.js';
import { placeOptions } from '../../core/options/place.js';
import { toolOptions } from '../../core/options/tools.js';
import type { RequestedOptions } from '../../core/options/index.js';
import { shrinking } from '../../core/view.js';
import { attachmentsField, attachmentsWords, promptField, taskWords } from '../shared/fields.js';
import { trustHint } from '../shared/wording/hints.js';
import { defineTool } from '../shared/define-tool.js';
import { withPatience } from '../shared/patience.js';
import { sessionAtStart } from '../shared/session-at-start.js';
import { briefOf } from './brief.js';
import { createOutput } from './output.js';
import { takenModes } from './vocabulary.js';

const input = z.strictObject({
  prompt: promptField.describe(taskWords),
  attachments: attachmentsField.describe(attachmentsWords),
  workingDirectory: placeOptions.cwd.schema.optional().describe(placeOptions.cwd.words),
  model: modelOptions.model.schema.optional(),
  permissionMode: z.enum(takenModes).optional(),
  allowedTools: toolOptions.allowedTools.schema.optional().describe(toolOptions.allowedTools.words),
  disallowedTools: toolOptions.disallowedTools.schema.optional().describe('Never run'),
  maxTurns: limitOptions.maxTurns.schema.optional(),
  maxBudgetUsd: limitOptions.maxBudgetUsd.schema.optional().describe(limitOptions.maxBudgetUsd.words),
  systemPrompt: z.string().max(200_000).optional().describe("Text to append to Claude Code's own"),
  dangerouslySkipPermissions: z.boolean().optional().describe('Same as permissionMode bypassPermissions'),
});

export const claudeCreateSession = defineTool({
  name: 'claude_create_session',
  title: 'Create a Claude Code session',
  description:
    'Gives a task to a separate Claude Code agent that edits files and runs commands. Returns a sessionId at once; then call claude_get_status.',
  effect: 'destructive',
  isAlwaysLoaded: true,
  input,
  output: createOutput,
  explain: sessionAtStart,
  async handle({ prompt: text, attachments, ...given }, deps, context) {
    const { sessions, words } = deps;
    const { caller, signal, concerns } = context;
    const session = await withPatience(0, deps, context, (enough) =>
      sessions.start({ text, attachments }, toRequested(given), caller, { enough }),
    );
    concerns(session.id);
    // The caller never learns the id and may retry, which would leave two sessions.
    if (signal.aborted) await session.cancel();
    return {
      view: shrinking((room) => ({
        ...briefOf(session.view, words, room),
        projectSettings: trustHint(session.view.options, words),
      })),
    };
  },
});

function toRequested({
  workingDirectory: cwd,
  systemPrompt,
  permissionMode,
  dangerouslySkipPermissions = false,
  ...same
}: Omit<z.infer<typeof input>, 'prompt' | 'attachments'>): RequestedOptions {
  if (dangerouslySkipPermissions && permissionMode !== undefined && permissionMode !== 'bypassPermissions') {
    throw new AppError('skip_permissions_conflict', { permissionMode });
  }
  return {
    ...same,
    cwd,
    // claude_get_status shows text while Claude writes it.
    includePartialMessages: true,
    permissionMode: dangerouslySkipPermissions ? 'bypassPermissions' : permissionMode,
    systemPrompt:
      systemPrompt === undefined
        ? undefined
        : { type: 'preset', preset: 'claude_code', append: systemPrompt },
  };
}
