import * as z from 'zod';
import type { ToolContext, ToolOutcome } from '../../core/tool-context.js';
import { always } from '../../core/view.js';
import { defineTool, type HandlerDependencies } from '../shared/define-tool.js';
import { withHeartbeat } from '../shared/heartbeat.js';

export const claudeCodeConfigure = defineTool({
  name: 'claude_code_configure',
  title: 'Allow bypassPermissions',
  description:
    'Controls whether new sessions may use the mode "bypassPermissions", which runs every tool without approval. Off by default. enable_bypass lasts 30 minutes and asks the user first if the client can show forms.',
  effect: 'destructive',
  input: z.strictObject({ action: z.enum(['enable_bypass', 'disable_bypass', 'get_config']) }),
  output: () => z.looseObject({ allowBypass: z.boolean(), message: z.string() }),
  async handle({ action }, deps, context) {
    const { bypass } = deps.sessions.approvals;
    switch (action) {
      case 'enable_bypass':
        return enable(deps, context);
      case 'disable_bypass':
        return { view: always(await bypass.disable(context.caller)) };
      case 'get_config':
        return { view: always(bypass.report(context.caller)) };
    }
  },
});

/** Asks a person whenever the client can show a form, every time. */
async function enable(
  { sessions, maxWaitMs }: HandlerDependencies,
  { caller, returned, canReturnForm, signal, progress }: ToolContext,
): Promise<ToolOutcome> {
  const { bypass } = sessions.approvals;
  if (returned !== undefined) {
    return { view: always(bypass.takeBack(returned.state.requestId, caller, returned.reply)) };
  }
  if (bypass.isGranted(caller)) return { view: always(bypass.report(caller)) };
  if (!caller.canAskPerson) return { view: always(bypass.enableWithoutPerson(caller)) };
  if (canReturnForm) {
    const { form, requestId, askedAt } = bypass.ask(caller);
    return { form, state: { sessionId: '', requestId, cursor: 0, deadline: askedAt, round: 1, askedAt } };
  }
  const shown = bypass.show(caller, { signal, timeoutMs: Math.max(1, maxWaitMs) });
  const beat = progress && (() => void progress('Waiting for a person to answer the form'));
  return { view: always(await withHeartbeat(shown, sessions.clock, beat)) };
}
