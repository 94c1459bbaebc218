import { AppError } from '../../core/errors.js';
import type { InputRequest } from '../../core/session/inputs.js';
import type { CallerAnswer } from '../../sessions/approvals.js';
import { answersField } from '../shared/fields.js';

export interface GivenResponse {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string | undefined;
  readonly updatedInput?: Record<string, unknown> | undefined;
}

/** Translates a response of this toolset for the session layer. */
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

/** Callers may send the questions back along with the answers. Only the answers count. */
function questionAnswer(
  updatedInput: GivenResponse['updatedInput'] = {},
): Pick<CallerAnswer, 'answers' | 'updatedInput'> {
  const { questions: _questions, answers, ...rest } = updatedInput;
  const { data, success } = answersField.safeParse(
    // A list answers the questions in order.
    Array.isArray(answers) ? Object.fromEntries(answers.entries()) : answers,
  );
  if (!success) throw new AppError('answers_unreadable');
  return { answers: data, ...(Object.keys(rest).length === 0 ? {} : { updatedInput: rest }) };
}
