import type { ContextUsage, McpServerState, ProcessControls } from '../core/backend.js';
import type { Clock } from '../core/clock.js';
import type { Redactor } from '../core/redactor.js';
import { within } from './time-limit.js';

/** What only a live process knows; what it does not tell in time is left out. */
export interface Inspection {
  readonly contextUsage?: ContextUsage;
  readonly mcpServers?: readonly McpServerState[];
}

const answerMs = 2_000;

export async function inspect(
  controls: ProcessControls | undefined,
  { clock, redactor }: { readonly clock: Clock; readonly redactor: Redactor },
): Promise<Inspection> {
  const inTime = async <T>(answer: Promise<T> | undefined): Promise<T | undefined> =>
    answer && within(answerMs, clock, answer).catch(() => undefined);
  const [contextUsage, mcpServers] = await Promise.all([
    inTime(controls?.contextUsage?.()),
    inTime(controls?.mcpServers?.()),
  ]);
  return redactor.redactValue({
    ...(contextUsage === undefined ? {} : { contextUsage }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
  });
}
