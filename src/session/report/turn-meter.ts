import type { Clock } from '../../core/clock.js';
import type { EventBody } from '../../core/session/events.js';
import type { Meter } from '../../core/observability/measurements.js';
import type { TurnReport } from '../../core/session/turn-result.js';

/** The facts about a turn that its events need. */
export interface TurnMark {
  readonly number: number;
  readonly startedAt: number;
}

/** Events that show Claude at work. An API retry does not. */
const stirring: ReadonlySet<EventBody['type']> = new Set(['text', 'thinking', 'tool_use']);

/** Times the turns of one session. */
export class TurnMeter {
  readonly #meter: Meter;
  readonly #clock: Clock;
  #stirred = 0;

  constructor(meter: Meter, clock: Clock) {
    this.#meter = meter;
    this.#clock = clock;
  }

  heard({ type }: EventBody, { number, startedAt }: TurnMark): void {
    if (this.#stirred === number || !stirring.has(type)) return;
    this.#stirred = number;
    this.#meter.measure({ what: 'turn_stirred', ms: this.#clock.now() - startedAt });
  }

  ended({ outcome, errorSubtype }: TurnReport, { startedAt }: TurnMark): void {
    this.#meter.measure({ what: 'turn_ended', outcome, errorSubtype, ms: this.#clock.now() - startedAt });
  }
}
