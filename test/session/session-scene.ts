import { noPage } from '../../src/core/forms.js';
import { noMeter, type Meter } from '../../src/core/observability/measurements.js';
import { Reservations } from '../../src/state/money/reservations.js';
import { SharedBudget } from '../../src/state/money/shared-budget.js';
import { expect, onTestFinished } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import type { LogFields, Logger } from '../../src/core/observability/logger.js';
import type { EffectiveOptions } from '../../src/core/options/index.js';
import { initialState } from '../../src/core/session/session-state.js';
import { EventLog } from '../../src/events/event-log.js';
import { resolveClaudeHome, type ClaudeHome } from '../../src/history/claude-home.js';
import type { SessionLocks } from '../../src/state/session-locks.js';
import { InputBroker } from '../../src/inputs/broker.js';
import { Conversation, type ConversationPast } from '../../src/session/process/conversation.js';
import { Permits } from '../../src/session/services/permits.js';
import { Session, type WhenBusy } from '../../src/session/session.js';
import type { SessionSeed } from '../../src/session/session-view.js';
import type { SessionServices } from '../../src/session/services/services.js';
import { Slots } from '../../src/session/services/slots.js';
import { noTotals } from '../../src/session/budget/totals.js';
import type { TurnChanges } from '../../src/session/turn/turn-changes.js';
import { FakeBackend, type FakeProcess } from '../kit/fake-backend.js';
import { FakeClock } from '../kit/fake-clock.js';
import { freeLocks } from '../kit/locks.js';
import { plainOptions } from '../kit/records.js';
import { plainPolicy } from '../kit/policy.js';
import { blindRedactor } from '../kit/redactors.js';

const noClaudeHome = resolveClaudeHome({ home: '/nowhere/home' });
export const idleProcessMs = 300_000;

export interface SceneOptions {
  readonly options?: Partial<EffectiveOptions>;
  readonly seed?: Partial<SessionSeed>;
  readonly claudeHome?: ClaudeHome;
  readonly slots?: Slots;
  readonly permits?: Permits;
  readonly meter?: Meter;
  readonly maxModelCalls?: number;
  /** The operator's limit for the cost of a session. */
  readonly maxBudgetUsd?: number;
  /** What is left of the day's budget. */
  readonly dayLeftUsd?: number;
  readonly longestRunMs?: number;
  /** Of its conversation. */
  readonly past?: ConversationPast;
  readonly locks?: SessionLocks;
  readonly observers?: SessionServices['observers'];
  /** Whether a person can be asked, so that approvals by earlier callers do not count. */
  readonly isPersonAsked?: () => boolean;
  /** Resolves when it is known that no other server has continued the session. */
  readonly compared?: () => Promise<void>;
  /** Resolves when a save is on disk. */
  readonly disk?: Promise<void>;
}

export type Scene = ReturnType<typeof createScene>;

/** One session on a fake backend and a fake clock. Fails the test on any illegal state transition. */
export function createScene(scene: SceneOptions = {}) {
  const clock = new FakeClock();
  const backend = new FakeBackend();
  const ids = countingIds();
  const illegalMoves: LogFields[] = [];
  const logger: Logger = {
    log(_level, message, fields = {}) {
      if (message === 'ignored an invalid state transition') illegalMoves.push(fields);
    },
  };
  const broker = new InputBroker({
    page: noPage,
    clock,
    ids,
    redactor: blindRedactor,
    watcher: { onOpened: () => undefined, onAnswering: () => undefined, onSettled: () => undefined },
  });
  const slots = scene.slots ?? new Slots(10);
  const { longestRunMs = 3_600_000 } = scene;
  const options = { ...plainOptions, ...scene.options };
  const id = ids.uuid() as SessionId;
  let changes = 0;
  const settings = {
    claudeHome: scene.claudeHome ?? noClaudeHome,
    startTimeOf: async () => 'the start',
    locks: scene.locks ?? freeLocks,
  };
  const conversation = new Conversation(id, options.cwd, settings, scene.past ?? 'none');
  const session = new Session(
    {
      id,
      createdAt: clock.now(),
      state: initialState,
      turn: 0,
      totals: noTotals,
      options,
      conversation,
      budget: new SharedBudget(id, undefined),
      log: new EventLog({ maxEvents: 1_000, maxBytes: 2 ** 21 }),
      ...scene.seed,
    },
    {
      backend,
      broker,
      slots,
      permits: scene.permits ?? new Permits(2),
      dayBudget: { reservations: new Reservations(), leftUsd: () => scene.dayLeftUsd },
      observers: scene.observers ?? [],
      approvalRules: {
        isPersonAsked: scene.isPersonAsked ?? (() => false),
        mayReadOthers: false,
        ...plainPolicy,
        isHumanOnly: false,
        isReadingBounded: () => false,
        operatorRules: [],
      },
      limits: {
        idleProcessMs,
        longestRunMs,
        maxModelCalls: scene.maxModelCalls,
        maxBudgetUsd: scene.maxBudgetUsd,
        interruptOnTimeout: false,
      },
      clock,
      ids,
      logger,
      meter: scene.meter ?? noMeter,
      redactor: blindRedactor,
    },
    {
      onSpent: () => undefined,
      onChanged: () => (changes += 1),
      onCostChanged: () => undefined,
      save: () => {
        changes += 1;
        return scene.disk ?? Promise.resolve();
      },
      problemOf: () => undefined,
      refuseContinued: scene.compared ?? (async () => undefined),
    },
  );
  onTestFinished(() => expect(illegalMoves).toEqual([]));
  return { session, backend, clock, broker, slots, illegalMoves, longestRunMs, changes: () => changes };
}

/** A session that works on its first prompt, and its process. */
export async function startedScene(options: SceneOptions = {}): Promise<Scene & { process: FakeProcess }> {
  const scene = createScene(options);
  return { ...scene, process: await startSession(scene) };
}

export async function startSession({ session, backend }: Scene, prompt = 'first'): Promise<FakeProcess> {
  const started = session.start({ text: prompt });
  const process = await backend.process(0);
  await process.prompt(0);
  process.init(['Bash', 'Read']);
  await started;
  return process;
}

/** A session that has finished its first turn. */
export async function idleScene(options: SceneOptions = {}): Promise<Scene & { process: FakeProcess }> {
  const scene = await startedScene(options);
  scene.process.result();
  return scene;
}

export function reply(
  session: Session,
  text: string,
  how: TurnChanges & { whenBusy?: WhenBusy } = {},
): Promise<void> {
  const { whenBusy = 'reject', ...changes } = how;
  return session.reply({ text }, whenBusy, changes);
}

/** Resolves when the condition holds; sessions notify their listeners of every change. */
export function until(session: Session, isSo: (session: Session) => boolean): Promise<void> {
  if (isSo(session)) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = session.subscribe(() => {
      if (!isSo(session)) return;
      unsubscribe();
      resolve();
    });
  });
}

export const untilStatus = (session: Session, status: Session['view']['state']['status']): Promise<void> =>
  until(session, ({ view }) => view.state.status === status);

/** Resolves with a new process, or when a turn ends without one. */
export async function untilProcessOrEnd(
  { session, backend }: Scene,
  index: number,
): Promise<FakeProcess | 'turn ended'> {
  const ended = until(
    session,
    ({ view: { state } }) => state.status !== 'running' && state.status !== 'waiting',
  );
  return Promise.race([backend.process(index), ended.then(() => 'turn ended' as const)]);
}

export function statusTexts({ view: { log } }: Session): string[] {
  return log.read(0).events.flatMap((event) => (event.type === 'status' ? [event.text] : []));
}

/** 00000000-…-000000000001, …2, …3: valid UUIDs that are readable in a failed assertion. */
export function countingIds() {
  let last = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`,
    short: () => `request-${(last += 1)}`,
  };
}
