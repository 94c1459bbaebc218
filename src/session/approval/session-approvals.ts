import type { AnsweredBy, EventBody } from '../../core/session/events.js';
import type { GateDecision, ToolCall } from '../../core/claude/gate.js';
import type { AllowAnswer, InputAnswer, InputAsk, InputRequest } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { InputBroker } from '../../inputs/broker.js';
import { Grants, type GrantRecord } from '../../inputs/grants.js';
import { mayPreApprove, type Means } from '../../policy/abilities.js';
import { isReading, judgeToolCall } from '../../policy/gate.js';
import { isWithinList } from '../../policy/pre-approval.js';
import type { PolicySettings } from '../../policy/settings.js';
import { realTargetOf } from './real-target.js';
import * as reports from '../report/reports.js';

export interface SessionApprovalsSettings {
  readonly sessionId: string;
  readonly backend: Means;
  readonly broker: InputBroker;
  readonly redactor: Redactor;
  readonly home: string;
  readonly plansDir: string;
  readonly grants: GrantRecord | undefined;
  readonly interruptOnTimeout: boolean;
  /** Whether callers may approve nothing at all. */
  readonly isHumanOnly: boolean;
  /** Whether reading outside the session's folders is asked, whatever a caller has allowed in advance. */
  readonly isReadingBounded: boolean;
  readonly policy: Pick<PolicySettings, 'preallow'>;
}

/** What the turn has to know of a request. */
export interface SessionApprovalsHost {
  options(): EffectiveOptions;
  onAllowed(request: InputRequest, answer: AllowAnswer): void;
  onAsked(): void;
  onSettled(othersOpen: boolean, answeredBy: AnsweredBy): void;
  tell(body: EventBody): void;
}

/** Where the questions of one session pass: the gate before them, the grants that answer some, the broker for the rest. */
export class SessionApprovals {
  readonly grants: Grants;
  readonly #settings: SessionApprovalsSettings;
  readonly #host: SessionApprovalsHost;
  /** Calls that the gate has put before somebody, and whether a grant may answer for them. */
  readonly #gated = new Map<string, boolean>();

  constructor(settings: SessionApprovalsSettings, host: SessionApprovalsHost) {
    this.grants = new Grants(settings.grants);
    this.#settings = settings;
    this.#host = host;
  }

  get hasOpen(): boolean {
    const { broker, sessionId } = this.#settings;
    return broker.openFor(sessionId).length > 0;
  }

  /** Rules that the next process begins with. */
  get grantedRules(): readonly string[] {
    const { backend, isReadingBounded, policy } = this.#settings;
    if (!mayPreApprove(backend, this.#host.options(), isReadingBounded)) return [];
    // The operator may have made the list shorter since they were granted.
    return this.grants.rules.filter((rule) => isWithinList(rule, policy));
  }

  judge(call: ToolCall): GateDecision {
    const { home, plansDir } = this.#settings;
    const { allowedTools = [], permissionMode, cwd, additionalDirectories = [] } = this.#host.options();
    // Where only people approve, the session has this mode because a person wanted it so.
    const isHumanOnly = this.#settings.isHumanOnly && permissionMode !== 'bypassPermissions';
    const realTarget = realTargetOf(call, { cwd, home });
    const readableFolders = this.#settings.isReadingBounded ? [cwd, ...additionalDirectories] : undefined;
    const decision = judgeToolCall(
      { ...call, realTarget },
      { plansDir, isHumanOnly, allowedTools, grantedRules: this.grants.rules, readableFolders },
    );
    if (decision !== 'pass') this.#gated.set(call.toolUseId, decision.isGrantable);
    return decision;
  }

  /** The answer of an earlier grant, told but not asked; undefined when there is none. */
  answerByGrant(ask: InputAsk): InputAnswer | undefined {
    const isGrantable = this.#gated.get(ask.toolUseId) ?? true;
    if (!isGrantable || !this.grants.covers(ask, this.#settings.isHumanOnly)) return undefined;
    try {
      this.#settings.broker.answerByRule(ask, this.#settings.sessionId);
    } catch {
      // It may not run unasked now, because it cannot be written down: so it is asked.
      return undefined;
    }
    this.#gated.delete(ask.toolUseId);
    const shown = this.#settings.redactor.redactValue(ask);
    this.#host.tell({ type: 'status', text: `Allowed for this session before: ${reports.inWords(shown)}` });
    return { decision: 'allow' };
  }

  /** For what this server itself wants to do; nobody but an answer ends the wait. */
  async askOwn(ask: InputAsk): Promise<InputAnswer> {
    return this.answerByGrant(ask) ?? this.ask(ask, new AbortController().signal);
  }

  async ask(ask: InputAsk, signal: AbortSignal): Promise<InputAnswer> {
    const { broker, sessionId, interruptOnTimeout } = this.#settings;
    const isGrantable = this.#gated.get(ask.toolUseId) ?? true;
    this.#gated.delete(ask.toolUseId);
    const { suggestedRules: _suggestedRules, ...withoutRules } = ask;
    const offered: InputAsk = isGrantable && this.#mayOfferRules(ask) ? ask : withoutRules;
    const given = await broker.ask(isGrantable ? offered : { ...offered, isGrantable }, {
      sessionId,
      timeoutMs: this.#host.options().permissionRequestTimeoutMs,
      interruptOnTimeout,
      signal,
      onOpened: (request) => {
        this.#host.onAsked();
        this.#host.tell(reports.inputRequested(request));
      },
      onSettled: ({ request, answer, decision, answeredBy }, othersOpen) => {
        if (answer.decision === 'allow') {
          if (answer.forSession === true) this.grants.add(request, answeredBy === 'elicitation');
          for (const update of answer.updates ?? []) {
            if (update.type === 'addRules') this.grants.addRules(update.rules);
          }
          this.#host.onAllowed(request, answer);
        }
        this.#host.onSettled(othersOpen, answeredBy);
        const { requestId } = request;
        this.#host.tell({ type: 'input_resolved', requestId, decision, answeredBy });
      },
    });
    // The backend knows the rules that were not offered, too.
    if (given.decision === 'deny' || offered.suggestedRules !== undefined) return given;
    const { forSession: _isOurs, ...once } = given;
    return once;
  }

  /** A rule that the operator's list forbids, or in spite of which the gate would ask, must not be promised. */
  #mayOfferRules({ toolName, suggestedRules = [] }: InputAsk): boolean {
    const { isHumanOnly, isReadingBounded, policy } = this.#settings;
    if (isHumanOnly || (isReadingBounded && isReading(toolName))) return false;
    return suggestedRules.every((rule) => isWithinList(rule, policy));
  }

  withdrawAll(by: AnsweredBy): void {
    this.#settings.broker.withdrawAll(this.#settings.sessionId, by);
  }
}
