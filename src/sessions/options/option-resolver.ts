import { AppError } from '../../core/errors.js';
import { withSpelledTools } from '../../core/claude/tool-spelling.js';
import {
  sessionOptions,
  type EffectiveOptions,
  type OptionName,
  type RequestedOptions,
} from '../../core/options/index.js';
import type { PermissionMode } from '../../core/options/tools.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { readDefaultMode } from '../../history/settings/user-settings.js';
import {
  checkedBefore,
  hasLost,
  isPersonNeeded,
  mayHaveLess,
  type CallerStanding,
} from '../../policy/approvals.js';
import { maxBudgetOf, maxTurnsOf } from '../../policy/caps.js';
import { barredModes, resolveOptions } from '../../policy/resolve-options.js';
import { resolveResumed, type ResumedOptions } from '../../policy/resumed-options.js';
import type { PolicySettings } from '../../policy/settings.js';
import { callerSecrets } from './caller-secrets.js';
import { refuseMovedFolders } from '../../session/process/moved-folders.js';
import type { Configuration } from '../../session/turn/configure.js';
import type { WhenBusy } from '../../session/session.js';
import type { TurnChanges } from '../../session/turn/turn-changes.js';
import { gatherFacts, usableFolders, type CwdOption, type FolderSettings } from './folder-facts.js';

export interface OptionResolverSettings {
  readonly folders: FolderSettings;
  readonly policy: PolicySettings;
  readonly redactor: Redactor;
}

/** Options that a reply changes; null unsets one, so that its default applies. */
export type OptionChanges = { readonly [K in OptionName]?: RequestedOptions[K] | null };

export interface ReplyChanges {
  readonly changes: OptionChanges;
  readonly limits: Pick<RequestedOptions, 'maxTurns' | 'maxBudgetUsd' | 'timeoutMs'>;
}

interface Resumable {
  readonly isLive: boolean;
  /** Whether it comes from a record, and so perhaps from another client. */
  readonly isRestored?: boolean;
  readonly options: EffectiveOptions;
}

/** Resolves the options that callers request, through the policy and the facts about the folders. */
export class OptionResolver {
  readonly #folders: FolderSettings;
  readonly #policy: PolicySettings;
  readonly #redactor: Redactor;

  constructor({ folders, policy, redactor }: OptionResolverSettings) {
    this.#folders = folders;
    this.#policy = policy;
    this.#redactor = redactor;
  }

  async resolve(
    given: RequestedOptions,
    standing: CallerStanding,
    cwdOption: CwdOption = 'cwd',
  ): Promise<EffectiveOptions> {
    const requested = withSpelledTools(given);
    const facts = await gatherFacts(requested, this.#folders, cwdOption);
    const options = resolveOptions({ requested, facts, policy: this.#policy, standing });
    // Learned only after the checks: a refused call must not influence what others see.
    this.#redactor.learn(callerSecrets(requested));
    return options;
  }

  /** Resolves the options of a session under today's policy, which may allow less than before. */
  again(session: Resumable, standing: CallerStanding): Promise<ResumedOptions> {
    return this.#resume(this.#recordedIn(session.options), {}, this.#resumedBy(session, standing));
  }

  /** Returns the options of the process that a reply needs; undefined if the live process fits. */
  async forReply(
    session: Resumable,
    { changes, limits }: ReplyChanges,
    standing: CallerStanding,
  ): Promise<ResumedOptions | undefined> {
    refuseMovedFolders(session.options);
    const isChanged = Object.values(changes).some((value) => value !== undefined);
    // Nobody else may use a bypass that was enabled for another client.
    const isBypassing = session.options.permissionMode === 'bypassPermissions';
    const isFitting = !isChanged && session.isLive && !isBypassing;
    if (isFitting && !mayHaveLess(this.#policy, standing)) return undefined;
    const changed = withSpelledTools({ ...withoutUndefined(changes), ...withoutUndefined(limits) });
    const resumed = await this.#resume(
      this.#recordedIn(session.options),
      changed,
      isChanged ? standing : this.#resumedBy(session, standing),
    );
    refuseMove(session, resumed.options);
    return isFitting && resumed.narrowed.length === 0 ? undefined : resumed;
  }

  /**
   * Resolves what a reply changes for its turn. If it waits behind another turn, a person may answer in the meantime, and
   * what the caller could request before counts no longer.
   */
  async forTurn(
    { optionsAhead, ...session }: Resumable & { readonly optionsAhead: EffectiveOptions },
    { whenBusy, ...asked }: ReplyChanges & { readonly whenBusy: WhenBusy },
    standingNow: () => CallerStanding,
  ): Promise<{ readonly changes: TurnChanges; readonly narrowed: readonly OptionName[] }> {
    const mayWait = whenBusy !== 'reject';
    const found = mayWait ? { ...session, options: optionsAhead } : session;
    const standing = standingNow();
    const { changes: now, narrowed } = await this.#turnOf(found, asked, standing);
    const isDue = (): boolean => hasLost(this.#policy, standing, standingNow());
    const judged = now.options ?? found.options;
    const isOutdated = (): boolean => this.isOutdated(judged, standing, standingNow());
    const answered: CallerStanding = { ...standing, hasPerson: true, bypass: undefined };
    if (!mayHaveLess(this.#policy, answered)) return { changes: { ...now, isOutdated }, narrowed };
    const mayJoin =
      whenBusy === 'steer' && optionsAhead !== session.options && (await this.#isKept(session, standing));
    const changes = { ...now, judged, joins: mayJoin ? session.options : judged, isOutdated };
    // Nothing more can be lost after the first answer of a person.
    if (!mayWait || isPersonNeeded(this.#policy, standing)) return { changes, narrowed };
    const later = await this.#turnOf(found, asked, answered).catch((error: unknown) => {
      if (error instanceof AppError) return { changes: { refusal: error } };
      throw error;
    });
    return { changes: { ...changes, later: { isDue, changes: later.changes } }, narrowed };
  }

  /** Whether this caller could request all options of the session. */
  async #isKept(session: Resumable, standing: CallerStanding): Promise<boolean> {
    const { narrowed = [] } = (await this.forReply(session, { changes: {}, limits: {} }, standing)) ?? {};
    return narrowed.length === 0;
  }

  /** Whether options that a caller could request before may be too much now. */
  isOutdated(
    { permissionMode }: Pick<EffectiveOptions, 'permissionMode'>,
    before: CallerStanding,
    now: CallerStanding,
  ): boolean {
    const isBypassOver = permissionMode === 'bypassPermissions' && before.bypass !== now.bypass;
    return isBypassOver || hasLost(this.#policy, before, now);
  }

  async #turnOf(
    session: Resumable,
    asked: ReplyChanges,
    standing: CallerStanding,
  ): Promise<{ readonly changes: TurnChanges; readonly narrowed: readonly OptionName[] }> {
    const resumed = await this.forReply(session, asked, standing);
    const barredModes = await this.#barredModes(session, standing);
    return {
      changes: { ...asked.limits, options: resumed?.options, base: session.options, barredModes },
      narrowed: resumed?.narrowed ?? [],
    };
  }

  /** Modes in which no prompt of this caller may run, even if someone else has chosen them for the session. */
  async #barredModes(session: Resumable, standing: CallerStanding): Promise<readonly PermissionMode[]> {
    const userMode = await readDefaultMode(this.#folders.claudeHome);
    return barredModes(this.#policy, this.#resumedBy(session, standing), userMode);
  }

  /**
   * Resuming requests nothing new, but a temporary bypass must still be enabled, and what others could choose is judged
   * again for a caller that may have less.
   */
  #resumedBy({ isRestored = false }: Resumable, standing: CallerStanding): CallerStanding {
    return isRestored || mayHaveLess(this.#policy, standing)
      ? standing
      : { ...checkedBefore, bypass: standing.bypass };
  }

  #recordedIn(options: EffectiveOptions): RequestedOptions {
    const { sessionInitTimeoutMs } = options;
    return {
      ...pickRequested(options),
      // The operator may have raised it since: resuming is a start, too.
      sessionInitTimeoutMs: Math.max(sessionInitTimeoutMs, this.#policy.startTimeoutMs),
    };
  }

  async #resume(
    before: RequestedOptions,
    changes: OptionChanges,
    standing: CallerStanding,
  ): Promise<ResumedOptions> {
    const requested = withoutNull({
      ...before,
      ...changes,
      // These are fixed, so there is nothing to unset.
      cwd: changes.cwd ?? before.cwd,
      persistSession: changes.persistSession ?? before.persistSession,
    });
    const recorded = new Set(
      (Object.keys(before) as OptionName[]).filter((key) => !Object.hasOwn(changes, key)),
    );
    const folders = recorded.has('additionalDirectories')
      ? await usableFolders(before.additionalDirectories ?? [], this.#folders)
      : requested.additionalDirectories;
    const facts = await gatherFacts(
      { ...requested, additionalDirectories: folders },
      this.#folders,
      recorded.has('cwd') ? 'sessionCwd' : 'cwd',
    );
    const resumed = resolveResumed({ requested, recorded, facts, policy: this.#policy, standing });
    this.#redactor.learn(callerSecrets(requested));
    const isFolderLost = folders?.length !== requested.additionalDirectories?.length;
    return isFolderLost ? { ...resumed, narrowed: [...resumed.narrowed, 'additionalDirectories'] } : resumed;
  }

  /** Resolves changes to a live session by the same rules as at its start. */
  async forConfigure(
    { options: { cwd, slashCommands, agents } }: Resumable,
    { model, permissionMode }: Pick<RequestedOptions, 'model' | 'permissionMode'>,
    standing: CallerStanding,
  ): Promise<Configuration> {
    const resolved = await this.resolve(
      // A mode that asks about everything does not go with commands and skills that run without asking.
      withoutUndefined({ cwd, slashCommands, agents, model, permissionMode }),
      standing,
      'sessionCwd',
    );
    return {
      ...(model === undefined ? {} : { model: resolved.model }),
      ...(permissionMode === undefined ? {} : { permissionMode: resolved.permissionMode }),
    };
  }

  /** A temporary bypass applies to new sessions, and to those that already had it. */
  refuseLateBypass({ options }: Resumable): void {
    if (options.permissionMode === 'bypassPermissions' || this.#policy.callerTrust === 'full') return;
    throw new AppError('bypass_too_late');
  }

  refuseOverCap(limits: Pick<RequestedOptions, 'maxTurns' | 'maxBudgetUsd'>): void {
    maxTurnsOf(limits, this.#policy);
    maxBudgetOf(limits, this.#policy);
  }
}

/** A session's transcript, trust and grants belong to the folder in which it started. */
function refuseMove({ options }: Resumable, { cwd, persistSession }: EffectiveOptions): void {
  if (persistSession !== options.persistSession) {
    throw new AppError('persistence_fixed');
  }
  if (options.cwd === cwd) return;
  throw new AppError('folder_fixed');
}

export function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Leaves out what is unset. */
export function withoutNull(changes: OptionChanges): RequestedOptions {
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== null && value !== undefined),
  );
}

function pickRequested(options: EffectiveOptions): RequestedOptions {
  return Object.fromEntries(Object.entries(options).filter(([key]) => Object.hasOwn(sessionOptions, key)));
}
