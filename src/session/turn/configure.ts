import type { Clock } from '../../core/clock.js';
import type { ProcessControls } from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { within } from '../services/within.js';
import type { TurnLoop } from './turn-loop.js';

/** What can be changed between prompts and during a turn. */
export type Configuration = Partial<Pick<EffectiveOptions, 'model' | 'permissionMode'>>;

const answerMs = 5_000;

/** Changes the live process, if there is one. The next process starts with the change either way. */
export async function configure(
  loop: TurnLoop,
  { permissionMode, model }: Configuration,
  clock: Clock,
): Promise<void> {
  // The mode comes first, because Claude Code may refuse it.
  if (permissionMode !== undefined) {
    await tell(loop, clock, 'permissionMode', (process) => process.setPermissionMode(permissionMode));
    keep(loop, { permissionMode }, `Permission mode set to ${permissionMode}`);
  }
  if (model !== undefined) {
    await tell(loop, clock, 'model', (process) => process.setModel(model));
    keep(loop, { model }, `Model set to ${model}`);
  }
}

type Order = (process: ProcessControls) => Promise<void>;

async function tell(loop: TurnLoop, clock: Clock, what: string, order: Order): Promise<void> {
  const { controls } = loop.supervisor;
  if (controls === undefined) return;
  const refusal = await within(answerMs, clock, order(controls)).catch(messageOf);
  // The process was replaced or closed in the meantime.
  if (loop.supervisor.controls !== controls) return tell(loop, clock, what, order);
  if (typeof refusal !== 'string') return;
  throw new AppError('change_refused', { option: what, problem: refusal });
}

function keep(loop: TurnLoop, changes: Configuration, status: string): void {
  loop.configure(changes);
  loop.tell({ type: 'status', text: status });
}
