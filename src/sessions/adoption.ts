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
import type { OptionResolver } from './options/option-resolver.js';
import type { RecordStore } from '../state/record-store.js';
import type { BudgetStore } from '../state/budget-store.js';
import type { ReplyOptions } from './reply-options.js';
import type { ResumeTokens } from './resume-tokens.js';
import type { Session } from '../session/session.js';
import type { SessionFactory } from './session-factory.js';
import { sessionNotFound } from './session-not-found.js';

export interface AdoptionDependencies {
  readonly records: RecordStore;
  readonly policy: PolicySettings;
  readonly tokens: ResumeTokens;
  readonly conversations: ConversationSettings;
  readonly folders: FolderSettings;
  readonly options: OptionResolver;
  readonly factory: SessionFactory;
  readonly pots: BudgetStore;
}

/** Sessions that somebody else has started, as far as the operator allows, each in its own folder. */
export class Adoption {
  readonly #deps: AdoptionDependencies;

  constructor(deps: AdoptionDependencies) {
    this.#deps = deps;
  }

  async adopt(
    id: SessionId,
    { resumeToken, diskResumeConfig = {} }: Pick<ReplyOptions, 'resumeToken' | 'diskResumeConfig'>,
    standing: CallerStanding,
  ): Promise<Session> {
    const { records, policy, tokens, conversations, folders, options, factory, pots } = this.#deps;
    if (await records.isDamaged(id)) {
      throw new AppError('UNAVAILABLE', `the record of session ${id} is damaged`, {
        hint: 'Start a new session with claude_code; the operator finds the record in CLAUDE_CODE_MCP_STATE_DIR.',
      });
    }
    refuseForeignResume(policy);
    tokens.refuseWithout(id, resumeToken);
    const cwd = await findSessionFolder(conversations.claudeHome, id);
    // Where it worked is none of the caller's business if it may not work there.
    if (cwd === undefined || !isWithinRoots(realPathOfNearest(cwd), folders.bounds))
      throw sessionNotFound(id);
    const { resumeSessionAt: _at, ...changes } = diskResumeConfig;
    const resolved = await options.resolve({ ...changes, cwd }, standing);
    return factory.adopt(id, resolved, await pots.open(id, 0));
  }
}
