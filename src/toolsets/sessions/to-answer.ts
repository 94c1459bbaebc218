import { AppError } from '../../core/errors.js';
import type { InputRequest } from '../../core/session/inputs.js';
import type { CallerAnswer } from '../../sessions/approvals.js';
import { answersField } from '../shared/fields.js';

export interface GivenResponse {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string | undefined;
  readonly updatedInput?: Record<string, unknown> | undefined;
}

/** An answer in the words of this toolset, as the session layer takes it. */
export function toAnswer(
  { kind }: Pick<InputRequest, 'kind'>,
  { decision, reason, updatedInput }: GivenResponse,
): CallerAnswer {
  if (decision === 'deny') return { decision, message: reason, updatedInput };
  switch (kind) {
    case 'permission':
      return { decision, updatedInput };
    case 'plan_review':
      return { decision, plan: planIn(updatedInput) };
    case 'user_question':
      return { decision, ...questionAnswer(updatedInput) };
  }
}

function planIn(updatedInput: GivenResponse['updatedInput']): string | undefined {
  if (updatedInput === undefined) return undefined;
  const { plan } = updatedInput;
  if (typeof plan === 'string') return plan;
  throw new AppError('plan_unreadable');
}

/** The questions come back with the answers; only the answers count. */
function questionAnswer(
  updatedInput: GivenResponse['updatedInput'] = {},
): Pick<CallerAnswer, 'answers' | 'updatedInput'> {
  const { questions: _questions, answers, ...rest } = updatedInput;
  const { data, success } = answersField.safeParse(
    // By position.
    Array.isArray(answers) ? Object.fromEntries(answers.entries()) : answers,
  );
  if (!success) throw new AppError('answers_unreadable');
  return { answers: data, ...(Object.keys(rest).length === 0 ? {} : { updatedInput: rest }) };
}
