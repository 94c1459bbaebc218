import { AppError } from '../../../core/errors.js';
import type { SessionId } from '../../../core/ids.js';
import type { ToolContext } from '../../../core/tool-context.js';
import type { View } from '../../../core/view.js';
import type { Session } from '../../../session/session.js';
import { namedId, type HandlerDependencies } from '../../shared/define-tool.js';
import type { SessionInput } from './input.js';

/** One action of claude_code_session. */
export interface SessionAction {
  /** The fields it uses besides `action`. Others are refused, because ignoring them would hide a mistake. */
  readonly takes: readonly (keyof SessionInput)[];
  readonly run: (input: SessionInput, deps: HandlerDependencies, context: ToolContext) => Promise<View>;
}

/** An action on the session that `sessionId` names. */
export function defineSessionAction(
  takes: SessionAction['takes'],
  run: (session: Session, ...rest: Parameters<SessionAction['run']>) => Promise<View>,
): SessionAction {
  return {
    takes: ['sessionId', ...takes],
    run: async (input, deps, context) => {
      const id = await idOf(input, deps, context);
      return run(await deps.sessions.find(id), input, deps, context);
    },
  };
}

export function refuseMisfits(input: SessionInput, { takes }: SessionAction): void {
  const { action, ...fields } = input;
  const misfit = Object.entries(fields).find(
    // A switch that is off asks for nothing.
    ([key, value]) => value !== undefined && value !== false && !takes.some((taken) => taken === key),
  );
  if (misfit === undefined) return;
  throw new AppError('action_key_misfit', { key: misfit[0], action, takes });
}

/** The session that the input names. */
export async function idOf(
  { action, sessionId }: SessionInput,
  deps: Pick<HandlerDependencies, 'sessions'>,
  context: Pick<ToolContext, 'concerns'>,
): Promise<SessionId> {
  if (sessionId === undefined) throw new AppError('session_id_missing', { action });
  return namedId(sessionId, deps, context);
}
