import { AppError } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import { findSessionFolder } from '../history/session-origin.js';
import type { CallerStanding } from '../policy/approvals.js';
import { isWithinRoots } from '../policy/folders.js';
import { refuseForeignResume } from '../policy/foreign.js';
import type { PolicySettings } from '../policy/settings.js';
import type { ConversationSettings } from '../session/process/conversation.js';
import { realPathOfNearest } from '../files/real-path.js';
import type { FolderSettings } from './options/folder-facts.js';
import { withoutNull, type OptionResolver } from './options/option-resolver.js';
import type { RecordStore } from '../state/record-store.js';
import type { BudgetStore } from '../state/budget-store.js';
import type { ReplyOptions } from './reply-options.js';
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
    const { records, budgets, policy, tokens, conversations, folders } = this.#settings;
    if (await records.isDamaged(id)) {
      throw new AppError('record_damaged', { sessionId: id });
    }
    refuseForeignResume(policy);
    tokens.refuseWithout(id, resumeToken);
    const cwd = await findSessionFolder(conversations.claudeHome, id);
    // The caller must not learn about folders in which it may not work.
    if (cwd === undefined || !isWithinRoots(realPathOfNearest(cwd), folders.bounds))
      throw new AppError('session_unknown', { sessionId: id });
    const { resumeSessionAt: _at, ...changes } = diskResumeConfig;
    const resolved = await this.#options.resolve({ ...withoutNull(changes), cwd }, standing);
    return this.#factory.adopt(id, resolved, await budgets.open(id, 0));
  }
}
