import type { ContextUsage, McpServerState, ProcessControls } from '../../core/claude/backend.js';
import type { Clock } from '../../core/clock.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { within } from '../services/within.js';

/** Facts that only a live process and its backend know. Those that do not arrive in time are omitted. */
export interface Inspection {
  readonly contextUsage?: ContextUsage;
  readonly mcpServers?: readonly McpServerState[];
}

export interface InspectionSettings {
  readonly clock: Clock;
  readonly redactor: Redactor;
}

const answerMs = 2_000;

export async function inspect(
  controls: ProcessControls | undefined,
  { clock, redactor }: InspectionSettings,
): Promise<Inspection> {
  const inTime = async <T>(answer: Promise<T> | undefined): Promise<T | undefined> =>
    answer && within(answerMs, clock, answer).catch(() => undefined);
  const [contextUsage, mcpServers] = await Promise.all([
    inTime(controls?.contextUsage()),
    inTime(controls?.mcpServers()),
  ]);
  return redactor.redactValue({
    ...(contextUsage === undefined ? {} : { contextUsage }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
  });
}
