import { stat } from 'node:fs/promises';
import { AppError } from '../../core/errors.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { findLiveOwner } from '../../history/live-owner.js';
import type { SessionLocks } from '../../state/session-locks.js';
import {
  findTranscript,
  hasForeignTurns,
  lacksMessages,
  markTranscript,
  type TranscriptMark,
} from '../../history/transcript.js';
import { ConversationLock } from './conversation-lock.js';

export interface ConversationSettings {
  readonly claudeHome: ClaudeHome;
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  /** Shared with the other servers on this machine. */
  readonly locks: SessionLocks;
}

/** Whether it has a transcript. Unknown if it ended before Claude Code may have written one. */
export type ConversationPast = 'none' | 'unknown' | 'on disk';

/** Enough, because only lines after the last mark are checked and every turn ends with a mark. */
const rememberedUuids = 512;
/** Of a process that worked on more turns, the last ones. */
const rememberedAnswers = 20;

/** Claude's own record of a session on disk, and whether another process writes to it. */
export class Conversation {
  readonly #settings: ConversationSettings;
  readonly #cwd: string;
  readonly #lock: ConversationLock;
  #claudeSessionId: string;
  /** Whether there was ever a transcript to resume from. */
  wasOnDisk: boolean;
  /** Settles when this server is the only writer, or cannot be. */
  held: Promise<void> = Promise.resolve();
  #isNew: boolean;
  #mark: TranscriptMark | undefined;
  /** The latest uuids that we sent or saw. A line after the mark with any other uuid is not ours. */
  readonly #uuids: string[] = [];
  /** The last message of each turn of the process that Claude Code must have written. */
  #answers: readonly string[] = [];
  #lastAnswer: string | undefined;

  constructor(claudeSessionId: string, cwd: string, settings: ConversationSettings, past: ConversationPast) {
    this.#claudeSessionId = claudeSessionId;
    this.wasOnDisk = past === 'on disk';
    this.#isNew = past === 'none';
    this.#cwd = cwd;
    this.#settings = settings;
    this.#lock = new ConversationLock(settings.locks);
  }

  /** Changes on /clear; our public id does not. */
  get claudeSessionId(): string {
    return this.#claudeSessionId;
  }

  /** Its first process has not started, and nobody else knows its id: it can neither be on disk nor held. */
  get isNew(): boolean {
    return this.#isNew;
  }

  get claudeHome(): ClaudeHome {
    return this.#settings.claudeHome;
  }

  /** From now on, its process may write a transcript. */
  begin(): void {
    this.#isNew = false;
  }

  note(uuid: string): void {
    // A list, because a set would hash every uuid, and few are ever looked up.
    this.#uuids.push(uuid);
    if (this.#uuids.length >= 2 * rememberedUuids) this.#uuids.splice(0, rememberedUuids);
  }

  /** Notes a message of the model to the user. */
  noteAnswer(uuid: string): void {
    this.#lastAnswer = uuid;
  }

  /** The turn with these answers has its result. */
  noteResult(): void {
    if (this.#lastAnswer === undefined) return;
    this.#answers = [...this.#answers, this.#lastAnswer].slice(-rememberedAnswers);
    this.#lastAnswer = undefined;
  }

  /** Whether the process that has exited could not write what it answered, so that the next one does not know it. */
  async hasForgotten(): Promise<boolean> {
    const answers = this.#answers;
    this.#answers = [];
    this.#lastAnswer = undefined;
    if (answers.length === 0) return false;
    const path = await this.path();
    return path !== undefined && lacksMessages(path, answers).catch(() => false);
  }

  /** The path of its transcript; undefined if there is none. */
  path(): Promise<string | undefined> {
    return findTranscript(this.#settings.claudeHome, this.claudeSessionId, this.#cwd);
  }

  /** On a full disk, Claude Code leaves an empty transcript, from which it cannot resume. */
  async exists(): Promise<boolean> {
    const path = await this.path();
    return path !== undefined && (await stat(path).catch(() => undefined))?.size !== 0;
  }

  /** Remembers how far our own process has written. */
  async mark(): Promise<void> {
    const path = await this.path().catch(() => undefined);
    this.wasOnDisk ||= path !== undefined;
    // Without a mark, foreign turns go undetected, but the check for a live owner remains.
    this.#mark = path === undefined ? undefined : await markTranscript(path).catch(() => undefined);
  }

  /** True if another process has added to the conversation since the mark: our process has not seen that. */
  async hasChanged(): Promise<boolean> {
    if (this.#mark === undefined) return false;
    const known = new Set(this.#uuids);
    return hasForeignTurns(this.#mark, (uuid) => known.has(uuid));
  }

  /** Throws if another process has it open: if both wrote, one branch would be lost. */
  async refuseForeignOwner(ownPid: number | undefined): Promise<void> {
    const holder = await this.#lock.findHolder(this.claudeSessionId);
    if (holder !== undefined) throw heldElsewhere('server', holder);
    const { claudeHome, startTimeOf } = this.#settings;
    const ownPids = new Set(ownPid === undefined ? [] : [ownPid]);
    const { claudeSessionId } = this;
    const owner = await findLiveOwner({ claudeHome, claudeSessionId, ownPids, startTimeOf });
    if (owner !== undefined) throw heldElsewhere('Claude Code', owner);
  }

  /** This server is the only writer. */
  get isHeld(): boolean {
    return this.#lock.isHeld;
  }

  /** Makes this server the only writer; throws if another one keeps the conversation. */
  async hold(): Promise<void> {
    const holder = await this.#lock.hold(this.claudeSessionId);
    if (holder === undefined) return;
    // Another server may hold it only because its process rests.
    const isAsked = await this.#settings.locks.ask(this.claudeSessionId);
    const last = isAsked ? await this.#lock.hold(this.claudeSessionId) : holder;
    if (last !== undefined) throw heldElsewhere('server', last);
  }

  /** Like `hold`, but nobody else can hold a new conversation, so that its process may start before `held` settles. */
  async holdForStart(): Promise<void> {
    this.held = this.hold();
    this.held.catch(() => undefined);
    if (!this.#isNew) await this.held;
  }

  release(): Promise<void> {
    return this.#lock.release();
  }

  /** Our own process continues under another id, so the lock moves along. */
  moveTo(claudeSessionId: string, isHeld: boolean): void {
    if (claudeSessionId === this.#claudeSessionId) return;
    this.#claudeSessionId = claudeSessionId;
    // They are in the transcript before.
    this.#answers = [];
    // Nobody else can know the new id yet, so there is no competition for the lock.
    if (isHeld) this.hold().catch(() => undefined);
  }
}

function heldElsewhere(holder: 'server' | 'Claude Code', { pid }: { readonly pid: number }): AppError {
  return pid === process.pid
    ? new AppError('session_open_in_other_call')
    : new AppError('session_open_elsewhere', { holder, pid });
}
