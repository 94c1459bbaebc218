import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { describeAsks } from './scenarios/asks.js';
import { describeControls } from './scenarios/controls.js';
import { describeConversations } from './scenarios/conversations.js';
import {
  describeEarlyExits,
  describeFrozenProcess,
  describeKilledProcess,
  describeStops,
} from './scenarios/endings.js';
import { describeFailures } from './scenarios/failures.js';
import { describeInterrupts } from './scenarios/interrupts.js';
import { describePrompts, layBait } from './scenarios/prompts.js';
import { describeSelfStarted } from './scenarios/self-started.js';
import { describeSurroundings } from './scenarios/surroundings.js';
import { describeTurns } from './scenarios/turns.js';
import { useStage, type CreateBackend } from './stage.js';

/** The contract of every backend, tested on the real Claude Code through the port in core/claude/backend.ts only. */
export function describeBackendContract(name: string, createBackend: CreateBackend): void {
  describe(`the ${name} backend`, () => {
    // Most scenarios are turns of one process. The order matters: turns are first, because they need it fresh; the
    // controls leave another model, and the prompts a megabyte of history.
    describe('on a shared stage', () => {
      const stage = useStage(createBackend, (sandbox) => {
        layBait(sandbox);
        for (const file of ['a.txt', 'b.txt']) writeFileSync(join(sandbox.root, file), `text of ${file}`);
      });
      describeTurns(stage);
      describeAsks(stage);
      describeInterrupts(stage);
      describeFailures(stage);
      describeEarlyExits(stage);
      describeControls(stage);
      describePrompts(stage);
    });
    describeConversations(createBackend);
    describeStops(createBackend);
    describeKilledProcess(createBackend);
    describeFrozenProcess(createBackend);
    describeSurroundings(createBackend);
    describeSelfStarted(createBackend);
  });
}
