import { isDeepStrictEqual } from 'node:util';
import { isInside } from '../../core/paths.js';
import { isPersonsAnswer, type AnsweredBy, type EventBody } from '../../core/session/events.js';
import type { Launch } from '../../core/claude/backend.js';
import type { GateDecision, ToolCall } from '../../core/claude/gate.js';
import type { AllowAnswer, InputAnswer, InputAsk, InputRequest } from '../../core/session/inputs.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { foldersOf } from '../../core/options/place.js';
import { areRulesReadable } from '../../inputs/grant-words.js';
import { Grants, type Counts, type GrantRecord } from '../../inputs/grants.js';
import type { ClaudeHome } from '../../history/claude-home.js';
import { realPathOfNearest } from '../../files/real-path.js';
import { judgeToolCall } from '../../policy/gate/judge-tool-call.js';
import { isSkill } from '../../policy/gate/skill-call.js';
import { isWithinList, staysWithin } from '../../policy/pre-approval.js';
import { isolationOf } from './agent-isolation.js';
import { judgedCommandOf } from './command-targets.js';
import { leadsTo } from './links.js';
import { serverOriginOf } from './server-origin.js';
import { realTargetsOf } from './real-targets.js';
import { reviewedPlan } from './reviewed-plan.js';
import * as reports from '../report/reports.js';
import type { SessionServices } from '../services/services.js';

/** A late answerer wants to know about the last few. */
const rememberedRequests = 20;
/** Hooks of the user may delay one call while Claude Code makes others, but not as many as this. */
const rememberedCalls = 2_000;

/** A person who answers by a form would not know why the same call comes twice. */
const askedAgain = 'This has changed since it was shown, so nothing was approved';

declare const described: unique symbol;

/** A request with its circumstances, on which grants depend. They are read once, because this reads files. */
type DescribedAsk = InputAsk & { readonly [described]: true };

export interface SessionApprovalsSeed {
  readonly sessionId: string;
  readonly claudeHome: ClaudeHome;
  readonly grants?: GrantRecord | undefined;
  readonly settled?: readonly SettledRequest[] | undefined;
}

export interface SettledRequest {
  readonly requestId: string;
  readonly decision: string;
  readonly answeredBy: string;
  /** The name of the device, if a person answered on the page. */
  readonly device?: string;
  readonly at?: number;
}

export type Settling = SettledRequest & { readonly answeredBy: AnsweredBy };

/** The turn loop that the requests belong to. */
export interface SessionApprovalsHost {
  options(): EffectiveOptions;
  /** Claude Code's id of the conversation, which can change. */
  claudeSessionId(): string;
  onAllowed(request: InputRequest, answer: AllowAnswer): void;
  onAsked(): void;
  onSettled(othersOpen: boolean, settled: Settling): void;
  tell(body: EventBody): void;
}

/**
 * The requests of one session: the gate judges tool calls, grants answer some requests, and the broker gets the rest.
 */
export class SessionApprovals {
  readonly grants: Grants;
  readonly #seed: SessionApprovalsSeed;
  readonly #services: SessionServices;
  readonly #host: SessionApprovalsHost;
  /** Calls for which the gate requires approval, and whether a grant may answer them. They can come back changed. */
  readonly #gated = new Map<string, boolean>();
  /** The last requests that were settled, newest last. */
  settled: readonly SettledRequest[] = [];
  /** Where the latest calls start that do not start in the session's own folder. */
  readonly #folders = new Map<string, string>();
  /** Folders that the session has moved into, outside its own. */
  #entered: readonly string[] = [];
  /** Claude Code keeps the rules of a skill for as long as it needs them, and does not say so. */
  #hasUsedSkill = false;

  constructor(seed: SessionApprovalsSeed, services: SessionServices, host: SessionApprovalsHost) {
    this.grants = new Grants(seed.grants);
    this.settled = seed.settled ?? [];
    this.#seed = seed;
    this.#services = services;
    this.#host = host;
  }

  get hasOpen(): boolean {
    return this.#open.length > 0;
  }

  get #open(): readonly InputRequest[] {
    return this.#services.broker.openFor(this.#seed.sessionId);
  }

  /** What the next process starts with: granted rules, and whether it must ask first. */
  get forNextProcess(): Pick<Launch, 'grantedRules' | 'asksFirst'> {
    const { permissionMode } = this.#host.options();
    return {
      // The operator may have shortened the list since these were granted.
      grantedRules: this.grants.rules(this.#counts).filter((rule) => this.#mayGrant(rule)),
      asksFirst: this.#isHumanOnly || permissionMode === 'plan',
    };
  }

  judge(call: ToolCall): GateDecision {
    const options = this.#host.options();
    if (call.cwd !== undefined && call.cwd !== options.cwd) {
      remember(this.#folders, call.toolUseId, call.cwd);
      this.#enter(call.cwd, options);
    }
    const decision = this.decide(call, options);
    this.#hasUsedSkill ||= isSkill(call.toolName);
    if (decision !== 'pass') remember(this.#gated, call.toolUseId, decision.isGrantable);
    return decision;
  }

  /** How a call is judged in a session with these options. Remembers nothing. */
  decide(call: ToolCall, options: EffectiveOptions): GateDecision {
    const { home, configDir } = this.#seed.claudeHome;
    const { approvalRules } = this.#services;
    const { allowedTools = [], cwd, permissionRules } = options;
    const rules = [...allowedTools, ...this.grants.rules(this.#counts)];
    const command = judgedCommandOf(call, rules, { cwd, home });
    return judgeToolCall(
      {
        ...call,
        command,
        isolation: isolationOf(call, options, this.#seed.claudeHome),
        ...realTargetsOf(call, { cwd, home }),
      },
      {
        claudeDir: realPathOfNearest(configDir),
        ownSession: this.#host.claudeSessionId(),
        mayReadOthers: approvalRules.mayReadOthers,
        isHumanOnly: this.#isHumanOnly,
        isPlanOpen: this.#open.some(({ kind }) => kind === 'plan_review'),
        allowedTools,
        grantedRules: this.grants.rules(() => true),
        projectRules: permissionRules?.allow,
        ownFolders: foldersOf(options),
        enteredFolders: this.#entered,
        // The first prompt of an agent can be a command.
        hasUsedSkill: this.#hasUsedSkill || options.slashCommands === true || options.agent !== undefined,
        hasUntrustedFolder: options.withheldPlugins !== undefined,
        folders: this.#boundingFolders(options),
        operatorRules: approvalRules.operatorRules,
      },
    );
  }

  /** Adds who brought the MCP server of the call, where it starts, and where links take it. */
  describe({ server: _server, leadsTo: _links, ...ask }: InputAsk): DescribedAsk {
    const options = this.#host.options();
    const { claudeHome } = this.#seed;
    const server = serverOriginOf(ask, options, claudeHome);
    // A request can stay open for longer than its call is remembered.
    const folder = ask.folder ?? this.#folders.get(ask.toolUseId);
    const paths = leadsTo(
      { ...ask, cwd: folder },
      { cwd: options.cwd, home: claudeHome.home },
      foldersOf(options),
    );
    return {
      ...ask,
      input: reviewedPlan(ask, claudeHome.configDir),
      ...(server === undefined ? {} : { server }),
      ...(folder === undefined ? {} : { folder }),
      ...(paths.length === 0 ? {} : { leadsTo: paths }),
    } as DescribedAsk;
  }

  /** Answers from an earlier grant and emits a status event, without asking; undefined if no grant covers the call. */
  answerByGrant(ask: DescribedAsk): InputAnswer | undefined {
    const isGrantable = this.#gated.get(ask.toolUseId) ?? true;
    if (!isGrantable || !this.grants.covers(ask, this.#counts)) return undefined;
    try {
      this.#services.broker.answerByRule(ask, this.#seed.sessionId);
    } catch {
      // The audit entry could not be written, so the call may not run without asking.
      return undefined;
    }
    const shown = this.#services.redactor.redactValue(ask);
    this.#host.tell({
      type: 'status',
      text: `Allowed by an earlier approval for this session: ${reports.inWords(shown)}`,
    });
    return { decision: 'allow' };
  }

  /** Asks for approval of this server's own work; only an answer ends the wait. */
  async askOwn(bare: InputAsk): Promise<InputAnswer> {
    const ask = this.describe(bare);
    return this.answerByGrant(ask) ?? this.ask(ask, new AbortController().signal);
  }

  /** Asks again if the call has changed by the time that somebody approves it. */
  async ask(ask: DescribedAsk, signal: AbortSignal): Promise<InputAnswer> {
    const isGrantable = this.#gated.get(ask.toolUseId) ?? true;
    for (let asked = ask; ;) {
      const { given, changed } = await this.#askOnce(asked, isGrantable, signal);
      if (changed === undefined || signal.aborted) return given;
      asked = { ...changed, reason: askedAgain };
    }
  }

  async #askOnce(
    ask: DescribedAsk,
    isGrantable: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly given: InputAnswer; readonly changed: DescribedAsk | undefined }> {
    const { broker, limits } = this.#services;
    let changed: DescribedAsk | undefined;
    const { suggestedRules: _suggestedRules, ...withoutRules } = ask;
    const offered: InputAsk = isGrantable && this.#mayOfferRules(ask) ? ask : withoutRules;
    const given = await broker.ask(isGrantable ? offered : { ...offered, isGrantable }, {
      sessionId: this.#seed.sessionId,
      timeoutMs: this.#host.options().permissionRequestTimeoutMs,
      interruptOnTimeout: limits.interruptOnTimeout,
      signal,
      hasChanged: () => {
        const now = this.describe(ask);
        changed = isDeepStrictEqual(now, ask) ? undefined : now;
        return changed !== undefined;
      },
      onOpened: (request) => {
        this.#host.onAsked();
        this.#host.tell(reports.inputRequested(request, this.#services.redactor));
      },
      onSettled: (settled, othersOpen) => {
        const { request, answer, decision, answeredBy, device } = settled;
        if (answer.decision === 'allow') {
          const by = isPersonsAnswer(answeredBy) ? 'person' : 'caller';
          if (answer.forSession === true) this.grants.add(request, by);
          for (const update of answer.updates ?? []) {
            if (update.type === 'addRules') this.grants.addRules(update.rules, by);
          }
          this.#host.onAllowed(request, answer);
        }
        const { requestId } = request;
        const at = this.#services.clock.now();
        const last = { requestId, decision, answeredBy, at, ...(device === undefined ? {} : { device }) };
        this.settled = [...this.settled, last].slice(-rememberedRequests);
        this.#host.onSettled(othersOpen, last);
        this.#host.tell(reports.inputResolved(settled));
      },
    });
    // The backend also knows the rules that were not offered, so it must not apply them.
    if (given.decision === 'deny' || offered.suggestedRules !== undefined) return { given, changed };
    const { forSession: _isOurs, ...once } = given;
    return { given: once, changed };
  }

  /** Whose approvals count. A caller may have approved only because its client could ask nobody. */
  readonly #counts: Counts = (by) => {
    const { isHumanOnly, isPersonAsked } = this.#services.approvalRules;
    return by === 'person' || (!isHumanOnly && !isPersonAsked(this.#seed.sessionId));
  };

  get #isHumanOnly(): boolean {
    // With human-only approvals, only a person can have chosen bypassPermissions for this session.
    return (
      this.#services.approvalRules.isHumanOnly && this.#host.options().permissionMode !== 'bypassPermissions'
    );
  }

  /** The folders of the session, if they bound what is read and edited without approval. */
  #boundingFolders(options = this.#host.options()): readonly string[] | undefined {
    const { isReadingBounded } = this.#services.approvalRules;
    return isReadingBounded(this.#seed.sessionId) ? foldersOf(options) : undefined;
  }

  /** A command cannot leave the folder that the session has moved into, so the first one is all of it. */
  #enter(folder: string, options: EffectiveOptions): void {
    const isKnown = [...foldersOf(options), ...this.#entered].some((one) => isInside(folder, one));
    if (!isKnown) this.#entered = [...this.#entered, folder];
  }

  /**
   * A rule must not be offered if the approver cannot read it, if the operator's list forbids it, or if the gate would
   * ask regardless of it. A rule for a server of the caller would also cover the next server to which the caller gives
   * that name. A rule for a call through a link, or in another folder, would also cover the same words when they mean
   * another file.
   */
  #mayOfferRules(ask: InputAsk): boolean {
    const { server, leadsTo: links, folder, suggestedRules = [] } = ask;
    if (server?.broughtBy === 'caller' || this.#services.approvalRules.isHumanOnly) return false;
    if (links !== undefined || folder !== undefined) return false;
    return areRulesReadable(ask) && suggestedRules.every((rule) => this.#mayGrant(rule));
  }

  #mayGrant(rule: string): boolean {
    const { approvalRules } = this.#services;
    const folders = this.#boundingFolders();
    return (
      isWithinList(rule, approvalRules) &&
      (folders === undefined || staysWithin(rule, folders, approvalRules))
    );
  }

  withdrawAll(by: AnsweredBy): void {
    this.#services.broker.withdrawAll(this.#seed.sessionId, by);
  }
}

/** Claude Code does not ask about every call, so old entries go. */
function remember<V>(calls: Map<string, V>, toolUseId: string, value: V): void {
  calls.set(toolUseId, value);
  const [oldest] = calls.keys();
  if (calls.size > rememberedCalls && oldest !== undefined) calls.delete(oldest);
}
