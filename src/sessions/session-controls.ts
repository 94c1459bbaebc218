import type { Audit } from '../core/observability/audit.js';
import type { Caller } from '../core/caller.js';
import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import type { RequestedOptions } from '../core/options/index.js';
import { refuseDetails, sensitiveDetails, type SensitiveDetails } from '../policy/details.js';
import type { Approvals } from './approvals.js';
import { callerFields } from '../session/report/audit-entries.js';
import type { OptionResolver } from './options/option-resolver.js';
import type { RewindPreview } from '../session/turn/rewind.js';
import type { Session } from '../session/session.js';
import type { SessionView } from '../session/session-view.js';
import { Transcripts, type TranscriptSettings } from './transcripts.js';
import type { UsageLedger } from '../state/money/usage-ledger.js';
import { reportUsage, type UsageReport } from './usage-report.js';

export type { SensitiveDetails };

export interface ControlSettings extends TranscriptSettings {
  readonly options: OptionResolver;
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly ledger: UsageLedger;
  /** Finds the session in its current state: another server may have ended it. */
  readonly find: (id: SessionId) => Promise<Session>;
  readonly findIfKnown: (id: SessionId) => Promise<Session | undefined>;
}

/** What callers can do with a session besides prompting it, each within the policy. */
export class SessionControls {
  readonly transcripts: Transcripts;
  readonly #settings: ControlSettings;

  constructor(settings: ControlSettings) {
    this.#settings = settings;
    this.transcripts = new Transcripts(settings, settings.findIfKnown);
  }

  /** Changes the model or permission mode, by the same rules as at the start. */
  async configure(
    id: SessionId,
    changes: Pick<RequestedOptions, 'model' | 'permissionMode'>,
    caller: Caller,
  ): Promise<Session> {
    if (changes.model === undefined && changes.permissionMode === undefined) {
      throw new AppError('nothing_to_configure');
    }
    const { options, approvals, audit, find } = this.#settings;
    approvals.noteCaller(caller);
    const session = await find(id);
    const allowed = await options.forConfigure(session.view, changes, approvals.standingOf(caller));
    if (changes.permissionMode === 'bypassPermissions') options.refuseLateBypass(session.view);
    audit.recordOrThrow({ what: 'session_configured', sessionId: id, ...allowed, ...callerFields(caller) });
    await session.configure(allowed);
    return session;
  }

  /** Restores files to their state before a prompt, after approval; with `dryRun`, only shows the changes. */
  async rewind(
    id: SessionId,
    messageId: string,
    { dryRun }: { readonly dryRun: boolean },
    caller: Caller,
  ): Promise<{ session: Session; preview: RewindPreview }> {
    const { options, approvals, find } = this.#settings;
    const session = await find(id);
    const resumed = session.view.isLive
      ? undefined
      : await options.again(session.view, approvals.standingOf(caller));
    return { session, preview: await session.rewind(messageId, { dryRun, options: resumed?.options }) };
  }

  refuseSensitive(): void {
    refuseDetails(this.#settings.policy);
  }

  /** Details that are shown only if the operator allows it. */
  sensitiveDetails({ shownOptions }: Pick<SessionView, 'shownOptions'>): SensitiveDetails {
    return sensitiveDetails(shownOptions, this.#settings.policy);
  }

  /** Reports the recent usage of all sessions. */
  usage(): Promise<UsageReport> {
    const { ledger, folders, policy } = this.#settings;
    return reportUsage({
      ledger,
      bounds: folders.bounds,
      mayNameFolders: policy.allowSensitiveDetails,
    });
  }
}
