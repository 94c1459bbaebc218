import type { Finding } from '../doctor/check.js';

export type SelfTestOutcome =
  | { readonly kind: 'passed'; readonly ms: number }
  | { readonly kind: 'failed'; readonly problem: string }
  /** Without Claude Code there is nothing to try. */
  | { readonly kind: 'skipped' };

export function checkSelfTest(outcome: SelfTestOutcome): Finding {
  const id = 'self-test';
  switch (outcome.kind) {
    case 'passed':
      return {
        id,
        status: 'ok',
        message: `A session on this machine asked for approval, ran a command and finished in ${(outcome.ms / 1_000).toFixed(1)} s (scripted model, no cost).`,
      };
    case 'failed':
      return {
        id,
        status: 'fail',
        message: `A session with a scripted model did not work: ${outcome.problem}`,
        fix: 'Solve the problems above first. If there are none, report this text with the output of claude-code-mcp doctor --json.',
      };
    case 'skipped':
      return {
        id,
        status: 'warn',
        message: 'The self-test was skipped, because Claude Code cannot be started.',
        fix: 'Solve that problem, then run claude-code-mcp doctor again.',
      };
  }
}
