import type { InputAnswer, InputAsk } from '../../core/session/inputs.js';
import type { TurnReport } from '../../core/session/turn-result.js';

/** This server's own work: it may ask for approval first, and reports how it ended. */
export type OwnWork = (ask: (ask: InputAsk) => Promise<InputAnswer>) => Promise<TurnReport>;
