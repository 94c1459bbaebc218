import type { AnswerRights } from '../../inputs/present.js';
import type { Session } from '../../session/session.js';
import type { WaitTarget } from '../../sessions/waits.js';
import type { Vocabulary } from './wording/vocabulary.js';

/** What a call waits for, and how it answers when the wait is over. */
export interface Watch {
  readonly targets: readonly WaitTarget[];
  readonly mode: 'any' | 'all';
  /** Requested wait; 0 answers at once. */
  readonly waitMs: number;
  /** Whether the call may return a form even if it does not wait. */
  readonly asksAtOnce?: boolean;
  /** The last event of the first session that the caller had seen when the call began. */
  readonly seen: number;
  /** The answer, its variable texts within about `room` characters. May be asked for several rooms. */
  readonly show: (news: News) => (room: number) => object;
}

export interface News {
  /** Set when the caller asked for more than the operator grants. */
  readonly waitLimitMs: number | undefined;
  /** How this caller may answer the requests that it is shown. */
  readonly rights: AnswerRights;
  /** Names the calls that the answer points to. */
  readonly words: Vocabulary;
}

/** Answers without waiting, but may still return a form. */
export function atOnce(session: Session, show: Watch['show']): Watch {
  return {
    targets: [{ session, cursor: undefined }],
    mode: 'any',
    waitMs: 0,
    asksAtOnce: true,
    seen: 0,
    show,
  };
}
