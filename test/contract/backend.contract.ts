import { describe } from 'vitest';
import { describeAsks } from './scenarios/asks.js';
import { describeControls } from './scenarios/controls.js';
import { describeConversations } from './scenarios/conversations.js';
import { describeEndings, describeFrozenProcess, describeKilledProcess } from './scenarios/endings.js';
import { describeFailures } from './scenarios/failures.js';
import { describeInterrupts } from './scenarios/interrupts.js';
import { describeSurroundings } from './scenarios/surroundings.js';
import { describeTurns } from './scenarios/turns.js';
import type { CreateBackend } from './stage.js';

/** The contract of every backend, tested on the real Claude Code through the port in core/claude/backend.ts only. */
export function describeBackendContract(name: string, createBackend: CreateBackend): void {
  describe(`the ${name} backend`, () => {
    describeTurns(createBackend);
    describeAsks(createBackend);
    describeInterrupts(createBackend);
    describeControls(createBackend);
    describeConversations(createBackend);
    describeEndings(createBackend);
    describeKilledProcess(createBackend);
    describeFrozenProcess(createBackend);
    describeFailures(createBackend);
    describeSurroundings(createBackend);
  });
}
