import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PromptState } from '../../../src/core/claude/backend.js';
import { ResultMatcher, type ResultSignal } from '../../../src/session/turn/result-matcher.js';
import { Turn } from '../../../src/session/turn/turn.js';
import { plainReport } from '../../kit/fake-backend.js';
import { FakeClock } from '../../kit/fake-clock.js';

/** What Claude Code can do around one prompt: report progress, ask the model, and end work of whatever origin. */
type Step =
  | { readonly type: 'progress'; readonly state: PromptState }
  | { readonly type: 'answer' }
  | {
      readonly type: 'result';
      readonly names: 'prompt' | 'steering' | 'another' | 'nothing';
      readonly hasOrigin: boolean;
      readonly isFailure: boolean;
    };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('progress' as const),
    state: fc.constantFrom<PromptState>('queued', 'started'),
  }),
  fc.constant({ type: 'answer' as const }),
  fc.record({
    type: fc.constant('result' as const),
    names: fc.constantFrom('prompt' as const, 'steering' as const, 'another' as const, 'nothing' as const),
    hasOrigin: fc.boolean(),
    isFailure: fc.boolean(),
  }),
);

/** As the backends report it (map-result.ts). */
function toSignal({ names, hasOrigin, isFailure }: Extract<Step, { type: 'result' }>): ResultSignal {
  return {
    type: 'result',
    promptUuids: names === 'nothing' ? [] : [names],
    unsolicited: names === 'nothing' && (hasOrigin || !isFailure),
    report: isFailure ? { ...plainReport, outcome: 'failed', errorSubtype: 'other' } : plainReport,
  };
}

it('answers a prompt only with a result that names it, or with a failure before anything else was at work', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 12 }), fc.boolean(), (steps, isSteered) => {
      const matcher = new ResultMatcher();
      const turn = new Turn({
        number: 1,
        asked: [{ uuid: 'prompt', text: 'do it' }],
        limits: { activeMs: undefined, longestMs: 1_000 },
        clock: new FakeClock(),
        onLimit: () => undefined,
      });
      turn.isUnderWay = true;
      matcher.begin(turn);
      if (isSteered) matcher.steer({ uuid: 'steering', text: 'and this' });

      for (const step of steps) {
        if (step.type === 'progress') turn.advance(step.state);
        if (step.type === 'answer') turn.hasAnswer = true;
        if (step.type !== 'result') continue;
        const isOwn = step.names === 'prompt' || (step.names === 'steering' && isSteered);
        const mayBeOwn = step.names === 'nothing' && step.isFailure && !step.hasOrigin;

        const isAnswered = matcher.isAnsweredBy(toSignal(step));

        if (isAnswered) expect(isOwn || (mayBeOwn && !turn.isBehindOtherWork)).toBe(true);
        if (isOwn) expect(isAnswered).toBe(true);
        if (isAnswered) return;
      }
    }),
  );
});
