import type { Audit } from '../core/observability/audit.js';
import type { Caller } from '../core/caller.js';
import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import type { PermissionMode } from '../core/options/tools.js';
import type { RequestedOptions } from '../core/options/index.js';
import { Turns } from '../files/turns.js';
import { refuseForeignResume } from '../policy/foreign.js';
import { startModes } from '../policy/resolve-options.js';
import { refuseDetails, sensitiveDetails, type SensitiveDetails } from '../policy/details.js';
import type { Approvals } from './approvals.js';
import { callerFields } from '../session/report/audit-entries.js';
import type { OptionResolver } from './options/option-resolver.js';
import type { RewindPreview } from '../session/turn/rewind.js';
import type { Session } from '../session/session.js';
import type { SessionView } from '../session/session-view.js';
import { Transcripts, type TranscriptSettings } from './transcripts.js';
import type { ResumeTokens } from './resume-tokens.js';
import type { DaySpending, UsageLedger } from '../state/money/usage-ledger.js';
import { reportUsage, type UsageReport } from './usage-report.js';

export type { RewindPreview, SensitiveDetails };

export interface StartChoices {
  readonly modes: readonly PermissionMode[];
  readonly defaultFolder: string;
  /** The folders in which sessions may work; empty if the operator lists none. */
  readonly roots: readonly string[];
}

export interface ControlSettings extends TranscriptSettings {
  readonly options: OptionResolver;
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly ledger: UsageLedger;
  readonly tokens: ResumeTokens;
  /** Finds the session in its current state: another server may have ended it. */
  readonly find: (id: SessionId) => Promise<Session>;
  /** Called before a session changes to this mode at the request of a caller. */
  readonly onMode: (id: SessionId, mode: PermissionMode, caller: Caller) => void;
}

export interface UsageRequest {
  readonly isForPerson: boolean;
  readonly signal?: AbortSignal;
}

/** What callers can do with a session besides prompting it, each within the policy. */
export class SessionControls {
  readonly transcripts: Transcripts;
  readonly #settings: ControlSettings;
  /** Each reads the journals of a month. */
  readonly #reports = new Turns(2);

  constructor(settings: ControlSettings) {
    this.#settings = settings;
    this.transcripts = new Transcripts(settings);
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
    const { options, approvals, audit, find, onMode } = this.#settings;
    const session = await find(id);
    const standing = approvals.standingOn(session.id, caller);
    const allowed = await options.forConfigure(session.view, changes, standing);
    const isBypass = allowed.permissionMode === 'bypassPermissions';
    if (isBypass) options.refuseLateBypass(session.view);
    audit.recordOrThrow({ what: 'session_configured', sessionId: id, ...allowed, ...callerFields(caller) });
    if (allowed.permissionMode !== undefined) onMode(session.id, allowed.permissionMode, caller);
    await session.configure(allowed);
    // It may have ended before Claude Code was in this mode.
    if (isBypass && approvals.standingOf(caller).bypass !== standing.bypass) await session.endBypass();
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
    if (resumed !== undefined) session.noteRestored({}, resumed.narrowed);
    const target = { messageId, isUnread: !this.transcripts.mayRead(session.view) };
    return { session, preview: await session.rewind(target, { dryRun, options: resumed?.options }) };
  }

  refuseSensitive(): void {
    refuseDetails(this.#settings.policy);
  }

  /** Details that are shown only if the operator allows it. */
  sensitiveDetails({ shownOptions }: Pick<SessionView, 'shownOptions'>): SensitiveDetails {
    return sensitiveDetails(shownOptions, this.#settings.policy);
  }

  /** Reports the recent usage of all sessions. People see the folders; callers only if the operator allows it. */
  usage({ isForPerson, signal }: UsageRequest): Promise<UsageReport> {
    const { ledger, folders, policy } = this.#settings;
    const mayNameFolders = isForPerson || policy.allowSensitiveDetails;
    const report = (): Promise<UsageReport> =>
      reportUsage({ ledger, bounds: folders.bounds, mayNameFolders });
    return this.#reports.run(report, signal);
  }

  /** What a caller can choose for a new session. */
  startChoices(caller: Caller): StartChoices {
    const { policy, folders, approvals } = this.#settings;
    return {
      modes: startModes(policy, approvals.standingOf(caller)),
      defaultFolder: folders.defaultCwd,
      roots: folders.bounds.roots,
    };
  }

  /** What all sessions have spent today; undefined if the operator sets no limit. */
  async today(): Promise<DaySpending | undefined> {
    const { ledger } = this.#settings;
    await ledger.refresh();
    return ledger.today();
  }

  /** Whether a caller without a token may continue a session that someone else started. */
  mayAdopt(id: SessionId): boolean {
    const { policy, tokens } = this.#settings;
    try {
      refuseForeignResume(policy);
      tokens.refuseWithout(id, undefined);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Records what a person did on the page besides prompts and answers, which are recorded anyway. */
  notePageAction(action: 'interrupt' | 'cancel', sessionId: SessionId, caller: Caller): void {
    this.#settings.audit.record({ what: 'page_action', action, sessionId, ...callerFields(caller) });
  }
}
