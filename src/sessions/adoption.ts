import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import type { Redactor } from '../core/observability/redactor.js';
import type { TurnResult } from '../core/session/turn-result.js';
import { findSessionOrigin, type SessionOrigin } from '../history/session-origin.js';
import type { CallerStanding } from '../policy/approvals.js';
import { isWithinRoots } from '../policy/folders.js';
import { mayListHistory, refuseForeignResume } from '../policy/foreign.js';
import type { PolicySettings } from '../policy/settings.js';
import type { ConversationSettings } from '../session/process/conversation.js';
import { realPathOfNearest } from '../files/real-path.js';
import type { FolderSettings } from './options/folder-facts.js';
import { withoutNull, type OptionResolver } from './options/option-resolver.js';
import { noTotals } from '../session/budget/totals.js';
import type { SessionRecord } from '../state/record.js';
import type { RecordStore } from '../state/record-store.js';
import type { BudgetStore } from '../state/money/budget-store.js';
import { lastResultOnDisk } from './last-text.js';
import type { ReplyOptions } from './given-prompt.js';
import type { ResumeTokens } from './resume-tokens.js';
import type { Session } from '../session/session.js';
import type { SessionFactory } from './session-factory.js';

export interface AdoptionSettings {
  readonly records: RecordStore;
  readonly budgets: BudgetStore;
  readonly policy: PolicySettings;
  readonly tokens: ResumeTokens;
  readonly conversations: ConversationSettings;
  readonly folders: FolderSettings;
  readonly redactor: Redactor;
}

/** Continues sessions that someone else started, if the operator allows it, each in its own folder. */
export class Adoption {
  readonly #settings: AdoptionSettings;
  readonly #options: OptionResolver;
  readonly #factory: SessionFactory;

  constructor(settings: AdoptionSettings, options: OptionResolver, factory: SessionFactory) {
    this.#settings = settings;
    this.#options = options;
    this.#factory = factory;
  }

  async adopt(
    id: SessionId,
    { resumeToken, diskResumeConfig = {} }: Pick<ReplyOptions, 'resumeToken' | 'diskResumeConfig'>,
    standing: CallerStanding,
  ): Promise<Session> {
    const { records, budgets, policy, tokens } = this.#settings;
    if (await records.isDamaged(id)) throw new AppError('record_damaged', { sessionId: id });
    refuseForeignResume(policy);
    tokens.refuseWithout(id, resumeToken);
    const cwd = (await this.#originOf(id))?.cwd;
    if (cwd === undefined) throw new AppError('session_unknown', { sessionId: id });
    const { resumeSessionAt: _at, ...changes } = diskResumeConfig;
    const resolved = await this.#options.resolve({ ...withoutNull(changes), cwd }, standing, 'sessionCwd');
    return this.#factory.adopt(id, resolved, await budgets.open(id));
  }

  /** The result of a session: from its record, or from its transcript as far as the record lacks it. */
  async lastResultOf({
    lastResult: recorded,
    claudeSessionId,
    options: { cwd },
    turn,
    totals,
    isForeign,
  }: SessionRecord): Promise<TurnResult | undefined> {
    if (recorded?.result !== undefined) return { ...recorded, result: recorded.result };
    const { conversations, redactor, policy } = this.#settings;
    if (totals.turns === 0 || (isForeign === true && policy.history !== 'read')) return undefined;
    const place = { ...conversations, claudeSessionId, cwd, redactor };
    const onDisk = await lastResultOnDisk(place, turn, totals);
    return onDisk && { ...onDisk, ...recorded, result: onDisk.result };
  }

  /** A session that someone else started, if callers may list it: its last text too, if they may read it. */
  async show(id: SessionId): Promise<Session | undefined> {
    const { policy, conversations, redactor } = this.#settings;
    const origin = await this.listedOrigin(id);
    if (origin === undefined) return undefined;
    const lastResult =
      policy.history === 'read'
        ? await lastResultOnDisk(
            { ...conversations, claudeSessionId: id, cwd: origin.cwd, redactor },
            0,
            noTotals,
          )
        : undefined;
    return this.#factory.show(id, origin, lastResult);
  }

  /** Where someone else started this session; undefined if nobody did, or callers may not know. */
  async listedOrigin(id: SessionId): Promise<SessionOrigin | undefined> {
    const { records, policy } = this.#settings;
    if (!mayListHistory(policy) || (await records.isDamaged(id))) return undefined;
    return this.#originOf(id);
  }

  /** The caller must not learn about folders in which it may not work. */
  async #originOf(id: SessionId): Promise<SessionOrigin | undefined> {
    const { conversations, folders } = this.#settings;
    const origin = await findSessionOrigin(conversations.claudeHome, id);
    if (origin === undefined || !isWithinRoots(realPathOfNearest(origin.cwd), folders.bounds))
      return undefined;
    return origin;
  }
}
