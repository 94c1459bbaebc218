/** What became of the turn that was running, or had just ended, when something was killed. */
import type { AnswerJson } from '../kit/answer-json.js';
import { opening, work, type End } from './kill-phases.js';
import type { KillPlan } from './kill-plan.js';
import type { Witness } from './witness.js';

/** What became of the last turn, as far as the caller could know it. */
export function endOf({ phase }: KillPlan, witness: Witness, { status, result }: AnswerJson): End {
  if (witness.isCancelled || status === 'cancelled') return 'cancelled';
  const known = [...witness.results.values()].at(-1);
  if (known?.result === work.answer) return 'completed';
  if (known?.outcome === 'interrupted') return 'interrupted';
  // No caller has seen its end, so both outcomes are valid.
  if (phase.ends.includes('completed') && result?.result === work.answer) return 'completed';
  if (phase.ends.includes('interrupted') && result?.outcome === 'interrupted') return 'interrupted';
  if (phase.ends.includes('unbegun') && result?.result === opening.answer) return 'unbegun';
  return 'cut';
}

export function checkEnd(plan: KillPlan, end: End, answer: AnswerJson): readonly string[] {
  const shown = JSON.stringify({ status: answer.status, result: answer.result });
  const expected = expectations(plan)[end];
  const violations = Object.entries(expected).flatMap(([what, isSo]) => (isSo(answer, shown) ? [] : [what]));
  return violations.map((what) => `${what}: ${shown}`);
}

type Expectation = (answer: AnswerJson, shown: string) => boolean;

function expectations({ victim }: KillPlan): Record<End, Record<string, Expectation>> {
  const restarted = {
    'a cut turn does not say that the server restarted': (_: AnswerJson, shown: string) =>
      /restart/i.test(shown),
    'a cut turn does not say what was asked': (_: AnswerJson, shown: string) => shown.includes(work.prompt),
  };
  const crashed = {
    'a cut turn does not say that Claude Code crashed': (_: AnswerJson, shown: string) =>
      shown.includes('crashed'),
  };
  const ended = {
    'a turn that had ended reads otherwise': ({ status }: AnswerJson) => status === 'idle',
  };
  return {
    unknown: {},
    unbegun: ended,
    cancelled: { 'an acknowledged cancel is gone': ({ status }) => status === 'cancelled' },
    completed: { ...ended, 'its outcome has changed': ({ result }) => result?.outcome === 'completed' },
    interrupted: { ...ended, 'its outcome has changed': ({ result }) => result?.outcome === 'interrupted' },
    cut: {
      'a cut turn is no error': ({ status, result }) => status === 'error' && result?.outcome === 'failed',
      ...(victim === 'claude' ? crashed : restarted),
    },
  };
}
