import type { Clock } from '../../core/clock.js';
import type { ProcessControls } from '../../core/claude/backend.js';
import { AppError, messageOf } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { within } from './time-limit.js';
import type { TurnLoop } from './turn-loop.js';

/** What can be changed between two prompts, or in the middle of a turn. */
export type Configuration = Partial<Pick<EffectiveOptions, 'model' | 'permissionMode'>>;

const answerMs = 5_000;

/** Tells the live process, if there is one. The session keeps it either way: the next process starts with it. */
export async function configure(
  loop: TurnLoop,
  { permissionMode, model }: Configuration,
  clock: Clock,
): Promise<void> {
  // The mode first: it is the one that Claude Code may refuse.
  if (permissionMode !== undefined) {
    await tell(loop, clock, 'permissionMode', (process) => process.setPermissionMode?.(permissionMode));
    keep(loop, { permissionMode }, `Permission mode set to ${permissionMode}`);
  }
  if (model !== undefined) {
    await tell(loop, clock, 'model', (process) => process.setModel?.(model));
    keep(loop, { model }, `Model set to ${model}`);
  }
}

type Order = (process: ProcessControls) => Promise<void> | undefined;

async function tell(loop: TurnLoop, clock: Clock, what: string, order: Order): Promise<void> {
  const { controls } = loop.engine;
  if (controls === undefined) return;
  const taken = order(controls);
  if (taken === undefined) {
    throw new AppError('change_unsupported', { option: what });
  }
  const refusal = await within(answerMs, clock, taken).catch(messageOf);
  // Another process has taken its place meanwhile, or none.
  if (loop.engine.controls !== controls) return tell(loop, clock, what, order);
  if (typeof refusal !== 'string') return;
  throw new AppError('change_refused', { option: what, problem: refusal });
}

function keep(loop: TurnLoop, changes: Configuration, words: string): void {
  loop.adopt(changes);
  // A prompt that was queued with options of its own must not bring back what has been changed since.
  loop.queue.amend(({ options, ...rest }) => ({ ...rest, options: options && { ...options, ...changes } }));
  loop.tell({ type: 'status', text: words });
}
