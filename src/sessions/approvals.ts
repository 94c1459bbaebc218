import type { Caller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import type { Approver, FormReply } from '../core/forms.js';
import type { Audit } from '../core/observability/audit.js';
import type { IdSource } from '../core/ids.js';
import type { InputRequest, PermissionUpdate } from '../core/session/inputs.js';
import type { Logger } from '../core/observability/logger.js';
import type { Meter } from '../core/observability/measurements.js';
import type { Redactor } from '../core/observability/redactor.js';
import { InputBroker } from '../inputs/broker.js';
import { buildAnswer, type GivenAnswer } from '../inputs/build-answer.js';
import { FormApprovals, type HandedForm } from '../inputs/form-approvals.js';
import { isPersonNeeded, refuseApproval, type CallerStanding } from '../policy/approvals.js';
import { refuseEditAround } from '../policy/deny-rules.js';
import { resolvePermissionUpdates } from '../policy/permission-updates.js';
import { refuseNextMode } from '../policy/resolve-options.js';
import type { PolicySettings } from '../policy/settings.js';
import { callerFields, settledEntry } from '../session/report/audit-entries.js';
import { BypassSwitch } from './bypass-switch.js';
import { realFolders, type FolderSettings } from './options/folder-facts.js';

/** An answer as a caller gives it: what it names in `updatedPermissions` is still to be checked. */
export type CallerAnswer = Omit<GivenAnswer, 'updates'> & {
  readonly updatedPermissions?: readonly unknown[] | undefined;
};

export interface ApprovalsDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly meter: Meter;
  readonly redactor: Redactor;
  readonly approvers: ReadonlySet<Approver>;
  readonly policy: PolicySettings;
  readonly folders: FolderSettings;
}

interface SessionNames {
  /** In words, for a person. */
  nameOf(sessionId: string): string;
  /** Nobody was there for a form about one of its requests. */
  onNobody(request: InputRequest): void;
}

/** Who answers what sessions ask for: people by their forms, callers by their calls, each within the policy. */
export class Approvals {
  readonly broker: InputBroker;
  readonly bypass: BypassSwitch;
  readonly #people: FormApprovals;
  readonly #deps: ApprovalsDependencies;

  constructor(deps: ApprovalsDependencies, sessions: SessionNames) {
    this.#deps = deps;
    this.broker = new InputBroker({
      ...deps,
      watcher: {
        onOpened: (request) => this.#people.onOpened(request),
        // What is allowed is written down first, and not allowed when that cannot be done.
        onAnswering: (settled, who) =>
          settled.decision === 'deny'
            ? deps.audit.record(settledEntry(settled, deps.redactor, who))
            : deps.audit.recordOrThrow(settledEntry(settled, deps.redactor, who)),
        onSettled: (settled) => {
          const { request, decision, answeredBy } = settled;
          const { requestId, kind, askedAt } = request;
          this.#people.onSettled(requestId);
          // The others were written down when they were answered.
          if (decision !== 'allow' && answeredBy !== 'caller' && answeredBy !== 'elicitation')
            deps.audit.record(settledEntry(settled, deps.redactor));
          const ms = deps.clock.now() - askedAt;
          deps.meter.measure({ what: 'input_settled', kind, decision, answeredBy, ms });
        },
      },
    });
    this.#people = new FormApprovals({
      ...deps,
      broker: this.broker,
      nameOf: (sessionId) => sessions.nameOf(sessionId),
      onNobody: (request) => sessions.onNobody(request),
    });
    this.bypass = new BypassSwitch({ ...deps, people: this.#people });
  }

  standingOf({ clientId, canAskPerson }: Caller): CallerStanding {
    const hasPerson = this.#people.hasAnswered(clientId);
    return { canAskPerson, hasPerson, bypass: this.bypass.consentOf(clientId) };
  }

  /** Whether this caller may do more than deny. */
  mayApprove(caller: Caller): boolean {
    return !isPersonNeeded(this.#deps.policy, this.standingOf(caller));
  }

  /** Whether a person has the request before them, or has settled it: no news for a caller that waits. */
  isHandled(requestId: string): boolean {
    return this.#people.isHandled(requestId);
  }

  /** Settles an open request on behalf of a caller. Half of what was meant is not done: a misfit settles nothing. */
  async answer(
    request: InputRequest,
    given: CallerAnswer,
    caller: Caller,
    denyRules: () => Promise<readonly string[]>,
  ): Promise<void> {
    const { policy } = this.#deps;
    const standing = this.standingOf(caller);
    if (given.decision !== 'deny') refuseApproval(request.kind, policy, standing);
    if (given.nextMode !== undefined) refuseNextMode(given.nextMode, policy, standing);
    const { updatedPermissions, ...rest } = given;
    if (given.updatedInput !== undefined) refuseEditAround(request.toolName, await denyRules());
    const updates =
      updatedPermissions === undefined
        ? undefined
        : await this.#realUpdates(resolvePermissionUpdates(updatedPermissions, policy, standing));
    this.broker.answer(
      request.requestId,
      buildAnswer(request, { ...rest, updates }),
      'caller',
      callerFields(caller),
    );
  }

  /** The form for a person behind this caller; undefined when they have had it. */
  handOver(request: InputRequest, caller: Caller): HandedForm | undefined {
    return this.#people.handOver(request, caller.clientId);
  }

  canHandOver(request: InputRequest, caller: Caller): boolean {
    return caller.canAskPerson && this.#people.canHandOver(request, caller.clientId);
  }

  /** A new call asks: it may be that the person was only away when the form came. */
  askAgain(
    requests: readonly InputRequest[],
    caller: Caller,
    options: { readonly isPatient: boolean },
  ): void {
    if (!caller.canAskPerson || this.mayApprove(caller)) return;
    for (const request of requests) this.#people.askAgain(request, caller.clientId, options);
  }

  takeBack(requestId: string, caller: Caller, reply: FormReply, askedAt: number): void {
    this.#people.takeBack(requestId, callerFields(caller), reply, askedAt);
  }

  #realUpdates(updates: readonly PermissionUpdate[]): Promise<PermissionUpdate[]> {
    return Promise.all(
      updates.map(async (update) =>
        update.type === 'addDirectories'
          ? { ...update, directories: await realFolders(update.directories, this.#deps.folders) }
          : update,
      ),
    );
  }
}

/** The session of a request must be the one the caller means. */
export function refuseOtherSession(request: InputRequest, sessionId: string | undefined): void {
  if (sessionId === undefined || request.sessionId === sessionId) return;
  throw new AppError('request_of_other_session', { requestId: request.requestId });
}
