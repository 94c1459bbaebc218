import { AppError } from '../core/errors.js';
import type { InputAnswer, InputRequest, PermissionUpdate } from '../core/session/inputs.js';
import type { PermissionMode } from '../core/options/tools.js';
import { refuseBadEdit, refuseMask } from './edited-input.js';
import { withAnswers, type GivenAnswers } from './questions.js';

/** An answer as somebody gave it, for any kind of request. */
export interface GivenAnswer {
  readonly decision: 'allow' | 'allow_for_session' | 'deny';
  readonly message?: string | undefined;
  readonly interrupt?: boolean | undefined;
  readonly updatedInput?: Record<string, unknown> | undefined;
  readonly plan?: string | undefined;
  readonly nextMode?: PermissionMode | undefined;
  readonly answers?: GivenAnswers | undefined;
  /** Checked by the policy already. */
  readonly updates?: readonly PermissionUpdate[] | undefined;
}

type Key = Exclude<keyof GivenAnswer, 'decision'>;

/** What may come with an allow of each kind; a deny takes the same for all. */
const allowKeys: Readonly<Record<InputRequest['kind'], readonly Key[]>> = {
  permission: ['updatedInput', 'updates'],
  plan_review: ['plan', 'nextMode', 'updates'],
  user_question: ['answers', 'updatedInput'],
};
const denyKeys: readonly Key[] = ['message', 'interrupt'];

/** Makes an answer of what was given. Half of what was meant must not be done: a misfit throws, and nothing is settled. */
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
    throw new AppError('grant_impossible', { kind: request.kind });
  }
  if (given.updatedInput !== undefined) refuseBadEdit(request, given.updatedInput);
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
  const misfit = Object.entries(rest).find(
    ([key, value]) => value !== undefined && value !== false && !accepted.includes(key),
  );
  if (misfit === undefined) return;
  throw new AppError('answer_key_misfit', {
    key: nameOf(misfit[0]),
    decision,
    kind,
    accepted: accepted.map(nameOf),
  });
}

/** As the caller knows it. */
function nameOf(key: string): string {
  return key === 'updates' ? 'updatedPermissions' : key;
}

/** A grant is for what was asked, so an edited input does not go with it. */
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
  const edited = { ...input, plan };
  refuseMask(edited, input);
  return edited;
}
