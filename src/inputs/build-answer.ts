import { AppError } from '../core/errors.js';
import type { InputAnswer, InputRequest, PermissionUpdate } from '../core/session/inputs.js';
import type { PermissionMode } from '../core/options/tools.js';
import { refuseBadEdit, refuseMask } from './edited-input.js';
import { withAnswers, type GivenAnswers } from './questions.js';

/** An answer to any kind of request, as a person or caller entered it. */
export interface GivenAnswer {
  readonly decision: 'allow' | 'allow_for_session' | 'deny';
  readonly message?: string | undefined;
  readonly interrupt?: boolean | undefined;
  readonly updatedInput?: Record<string, unknown> | undefined;
  readonly plan?: string | undefined;
  readonly nextMode?: PermissionMode | undefined;
  readonly answers?: GivenAnswers | undefined;
  /** Already checked by the policy. */
  readonly updates?: readonly PermissionUpdate[] | undefined;
}

type Key = Exclude<keyof GivenAnswer, 'decision'>;

/** Keys that may accompany an approval of each kind. A denial accepts the same keys for all kinds. */
const allowKeys: Readonly<Record<InputRequest['kind'], readonly Key[]>> = {
  permission: ['updatedInput', 'updates'],
  plan_review: ['plan', 'nextMode', 'updates'],
  user_question: ['answers', 'updatedInput'],
};
const denyKeys: readonly Key[] = ['message', 'interrupt'];

/** Builds the answer. Throws if a key does not fit and settles nothing: applying half an answer would be wrong. */
export function buildAnswer(request: InputRequest, given: GivenAnswer): InputAnswer {
  refuseMisfits(request, given);
  if (given.decision === 'deny') {
    return {
      decision: 'deny',
      message: given.message ?? 'The caller denied this.',
      interrupt: given.interrupt ?? false,
    };
  }
  if (given.decision === 'allow_for_session') {
    if (request.kind === 'permission' && request.isGrantable !== false)
      return { decision: 'allow', forSession: true };
    if (request.isMasked === true) throw new AppError('grant_of_masked', { kind: request.kind });
    throw new AppError('grant_impossible', { kind: request.kind });
  }
  const { updatedInput: edited } = given;
  // A question is answered beside its input, so an empty object changes nothing there.
  if (edited !== undefined && (request.kind === 'permission' || !saysNothing(edited)))
    refuseBadEdit(request, edited);
  const updatedInput = updatedInputOf(request, given);
  return {
    decision: 'allow',
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(given.nextMode === undefined ? {} : { nextMode: given.nextMode }),
    ...(given.updates === undefined ? {} : { updates: given.updates }),
  };
}

function refuseMisfits(request: InputRequest, given: GivenAnswer): void {
  const { kind } = request;
  const { decision, ...rest } = given;
  const accepted = acceptedKeys(request, decision);
  const misfit = Object.entries(rest).find(([key, value]) => !saysNothing(value) && !accepted.includes(key));
  if (misfit === undefined) return;
  throw new AppError('answer_key_misfit', {
    key: nameOf(misfit[0]),
    decision,
    kind,
    accepted: accepted.map(nameOf),
  });
}

/** Models fill in fields that they do not mean to use. */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === false || value === '';
}

/** The name of the key in the caller's schema. */
function nameOf(key: string): string {
  return key === 'updates' ? 'updatedPermissions' : key;
}

/** A grant covers the original call, so it cannot be combined with an edited input. */
function acceptedKeys(
  { kind, isFixed = false }: InputRequest,
  decision: GivenAnswer['decision'],
): readonly string[] {
  if (decision === 'deny') return denyKeys;
  return decision === 'allow' && !isFixed ? allowKeys[kind] : [];
}

function updatedInputOf(
  { kind, input, shown }: InputRequest,
  given: GivenAnswer,
): Record<string, unknown> | undefined {
  if (kind === 'plan_review') return given.plan === undefined ? undefined : withPlan(input, given.plan);
  if (kind === 'permission' || given.answers === undefined) return given.updatedInput;
  const { updatedInput, answers } = given;
  return withAnswers({ ...input, ...updatedInput }, answers, { ...shown.input, ...updatedInput });
}

function withPlan(input: InputRequest['input'], plan: string): Record<string, unknown> {
  if (plan.trim() === '') throw new AppError('plan_empty');
  const edited = { ...input, plan };
  refuseMask(edited, input);
  return edited;
}
