import type { AnsweredBy, EventBody } from '../core/events.js';
import type { GateDecision, ToolCall } from '../core/gate.js';
import type { InputAnswer, InputAsk } from '../core/inputs.js';
import type { InputBroker } from '../inputs/broker.js';
import { Grants, type GrantRecord } from '../inputs/grants.js';
import { judgeToolCall } from '../policy/gate.js';
import * as reports from './reports.js';

export interface InputDeskSettings {
  readonly sessionId: string;
  readonly broker: InputBroker;
  readonly plansDir: string;
  readonly grants: GrantRecord | undefined;
  readonly interruptOnTimeout: boolean;
}

/** What the turn has to know of a request. */
export interface InputDeskHost {
  onAsked(): void;
  onSettled(othersOpen: boolean, answeredBy: AnsweredBy): void;
  tell(body: EventBody): void;
}

/** Where the questions of one session pass: the gate before them, the grants that answer some, the broker for the rest. */
export class InputDesk {
  readonly grants: Grants;
  readonly #settings: InputDeskSettings;
  readonly #host: InputDeskHost;
  /** Calls that the gate has put before somebody: no grant answers for them. */
  readonly #gated = new Set<string>();

  constructor(settings: InputDeskSettings, host: InputDeskHost) {
    this.grants = new Grants(settings.grants);
    this.#settings = settings;
    this.#host = host;
  }

  get hasOpen(): boolean {
    const { broker, sessionId } = this.#settings;
    return broker.openFor(sessionId).length > 0;
  }

  judge(call: ToolCall): GateDecision {
    const decision = judgeToolCall(call, this.#settings);
    if (decision !== 'pass') this.#gated.add(call.toolUseId);
    return decision;
  }

  /** The answer of an earlier grant, told but not asked; undefined when there is none. */
  answerByGrant(ask: InputAsk): InputAnswer | undefined {
    if (this.#gated.delete(ask.toolUseId) || !this.grants.covers(ask)) return undefined;
    this.#host.tell({ type: 'status', text: `Allowed for this session before: ${reports.inWords(ask)}` });
    return { decision: 'allow' };
  }

  ask(ask: InputAsk, timeoutMs: number, signal: AbortSignal): Promise<InputAnswer> {
    const { broker, sessionId, interruptOnTimeout } = this.#settings;
    return broker.ask(ask, {
      sessionId,
      timeoutMs,
      interruptOnTimeout,
      signal,
      onOpened: (request) => {
        this.#host.onAsked();
        this.#host.tell(reports.inputRequested(request));
      },
      onSettled: ({ request, answer, answeredBy }, othersOpen) => {
        if (answer.decision === 'allow' && answer.forSession === true) this.grants.add(request);
        this.#host.onSettled(othersOpen, answeredBy);
        const { requestId } = request;
        this.#host.tell({ type: 'input_resolved', requestId, decision: answer.decision, answeredBy });
      },
    });
  }

  withdrawAll(by: AnsweredBy): void {
    this.#settings.broker.withdrawAll(this.#settings.sessionId, by);
  }
}
