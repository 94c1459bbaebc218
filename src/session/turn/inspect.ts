import { lackingIn } from '../../core/claude/abilities.js';
import type { Backend, ContextUsage, McpServerState, ProcessControls } from '../../core/claude/backend.js';
import type { Clock } from '../../core/clock.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { within } from './within.js';

/** Facts that only a live process and its backend know. Those that do not arrive in time are omitted. */
export interface Inspection {
  /** Present only if the backend lacks a capability. */
  readonly backend?: { readonly name: string; readonly lacks: readonly string[] };
  readonly contextUsage?: ContextUsage;
  readonly mcpServers?: readonly McpServerState[];
}

export interface InspectionSettings {
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly backend: Pick<Backend, 'name' | 'abilities'>;
}

const answerMs = 2_000;

export async function inspect(
  controls: ProcessControls | undefined,
  { clock, redactor, backend }: InspectionSettings,
): Promise<Inspection> {
  const inTime = async <T>(answer: Promise<T> | undefined): Promise<T | undefined> =>
    answer && within(answerMs, clock, answer).catch(() => undefined);
  const [contextUsage, mcpServers] = await Promise.all([
    inTime(controls?.contextUsage?.()),
    inTime(controls?.mcpServers?.()),
  ]);
  const { name, abilities } = backend;
  const lacks = lackingIn(abilities);
  return redactor.redactValue({
    ...(lacks.length === 0 ? {} : { backend: { name, lacks } }),
    ...(contextUsage === undefined ? {} : { contextUsage }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
  });
}
