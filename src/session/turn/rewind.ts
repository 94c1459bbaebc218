import type { ProcessControls, Rewinding } from '../../core/claude/backend.js';
import type { Clock } from '../../core/clock.js';
import { AppError, messageOf } from '../../core/errors.js';
import { oneLine } from '../../core/text/escape.js';
import type { InputAsk } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import * as reports from '../report/reports.js';
import { within } from '../services/within.js';
import type { OwnWork } from './own-work.js';
import type { TurnLoop } from './turn-loop.js';

/** The changes that restoring would make. */
export type RewindPreview = Omit<Rewinding, 'skippedLinks'>;

/** Reading and restoring many files takes a while. */
const answerMs = 30_000;

/** Claude Code saves files before each prompt only if checkpointing is enabled from the start. */
export function refuseWithoutCheckpoints({ enableFileCheckpointing }: EffectiveOptions): void {
  if (enableFileCheckpointing === true) return;
  throw new AppError('no_checkpoints');
}

export interface RewindTarget {
  readonly messageId: string;
  /** The caller may not read the transcript, which has the ids. */
  readonly isUnread: boolean;
}

/** Restores the files of a session to their state before a prompt. */
export class Rewind {
  readonly #loop: TurnLoop;
  readonly #clock: Clock;
  readonly #messageId: string;
  readonly #isUnread: boolean;

  constructor(loop: TurnLoop, clock: Clock, { messageId, isUnread }: RewindTarget) {
    this.#loop = loop;
    this.#clock = clock;
    this.#messageId = messageId;
    this.#isUnread = isUnread;
  }

  async preview(options?: EffectiveOptions): Promise<RewindPreview> {
    const { files, insertions, deletions } = await this.#ask({ dryRun: true }, options);
    return { files, insertions, deletions };
  }

  /** Begins a turn that asks for approval, as any write does, and restores exactly the files that were shown. */
  begin(preview: RewindPreview): void {
    const work: OwnWork = async (ask) => {
      const answer = await ask(this.#question(preview));
      if (answer.decision === 'deny') {
        return reports.own('interrupted', `No files were restored. ${answer.message}`);
      }
      const now = await this.preview();
      if (!isCovered(now, preview)) {
        return reports.failed(
          'No files were restored, because other files have changed since approval was requested. Rewind again.',
        );
      }
      const { skippedLinks } = await this.#ask({ dryRun: false });
      return reports.own('completed', restored(preview, this.#messageId, skippedLinks));
    };
    this.#loop.runOwn('rewind', work);
  }

  #question({ files, insertions, deletions }: RewindPreview): InputAsk {
    return {
      kind: 'permission',
      toolName: 'Rewind',
      toolUseId: `rewind-${this.#messageId}`,
      input: { messageId: this.#messageId, files },
      reason: `The caller wants to restore these files to their state before this message: ${insertions} lines added, ${deletions} removed`,
      isFixed: true,
    };
  }

  async #ask(how: { readonly dryRun: boolean }, options?: EffectiveOptions): Promise<Rewinding> {
    const question = async (process: ProcessControls): Promise<Rewinding> => {
      const answer = process.rewindFiles(this.#messageId, how);
      const rewinding = await within(answerMs, this.#clock, answer);
      if (rewinding === undefined)
        throw new AppError('checkpoint_unknown', { messageId: this.#messageId, isUnread: this.#isUnread });
      return rewinding;
    };
    try {
      return await this.#loop.ask(question, options);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('restore_failed', { problem: messageOf(error) });
    }
  }
}

/** An approval also covers fewer files than were shown, but no other files. */
function isCovered(now: RewindPreview, shown: RewindPreview): boolean {
  return now.files.every((file) => shown.files.includes(file));
}

function restored({ files }: RewindPreview, messageId: string, skippedLinks: number): string {
  const names = files.map((file) => oneLine(file, 200)).join(', ');
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const left = skippedLinks === 0 ? '' : ` Skipped ${skippedLinks}, because links have replaced them.`;
  return `Restored ${count} to the state before message ${messageId}: ${names}.${left}`;
}
