import { cutMiddle, escapeHidden } from '../../core/text/escape.js';
import type { SessionEvent } from '../../core/session/events.js';
import type { SessionView } from '../../session/session-view.js';

export interface ToolUseEvent {
  readonly toolName: string;
  readonly status: 'running' | 'completed' | 'denied';
  /** The last event about it. */
  readonly seq: number;
}

interface ToolUse {
  readonly toolName: string;
  readonly turn: number;
  /** The subagent that called it. */
  readonly agent?: string;
}

/** The tool calls in the event log, oldest first, each with its outcome. */
export function toolUseEvents(
  events: readonly SessionEvent[],
  {
    state,
    turnNumber,
    lastResult,
    tasks,
  }: Pick<SessionView, 'state' | 'turnNumber' | 'lastResult' | 'tasks'>,
): readonly ToolUseEvent[] {
  const uses = new Map<string, ToolUse>();
  const asked = new Map<string, string>();
  const denied = new Set(lastResult?.permissionDenials?.flatMap(deniedId));
  const over = new Set<string>();
  const seqs = new Map<string, number>();
  /** Requests of background tasks outlive the turn that started them. */
  const waiting = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool_use') {
      uses.set(event.toolUseId, event);
      seqs.set(event.toolUseId, event.seq);
    } else if (event.type === 'tool_result') {
      over.add(event.toolUseId);
      seqs.set(event.toolUseId, event.seq);
      if (event.isDenied) denied.add(event.toolUseId);
    } else if (event.type === 'input_request') {
      asked.set(event.requestId, event.toolUseId);
      waiting.add(event.toolUseId);
    } else if (event.type === 'input_resolved') {
      const id = asked.get(event.requestId) ?? '';
      waiting.delete(id);
      if (event.decision === 'deny') {
        denied.add(id);
        seqs.set(id, event.seq);
      }
    }
  }
  const isInTurn = state.status === 'running' || state.status === 'waiting';
  return [...uses].map(([id, { toolName, turn, agent }]) => {
    // An interrupt also ends calls without a result, except those of background subagents.
    const mayRun = (isInTurn && turn === turnNumber) || (agent !== undefined && tasks.length > 0);
    const isRunning = waiting.has(id) || (mayRun && !over.has(id));
    const outcome = isRunning ? 'running' : 'completed';
    return {
      toolName: cutMiddle(escapeHidden(toolName), 80),
      status: denied.has(id) ? 'denied' : outcome,
      seq: seqs.get(id) ?? 0,
    };
  });
}

/** The id of a denied call. Claude Code also reports calls that its own rules denied. */
function deniedId(denial: unknown): string[] {
  const id =
    typeof denial === 'object' && denial !== null && 'tool_use_id' in denial ? denial.tool_use_id : undefined;
  return typeof id === 'string' ? [id] : [];
}
