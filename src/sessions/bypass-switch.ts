import type { Audit } from '../core/observability/audit.js';
import { clientKeyOf, type Caller } from '../core/caller.js';
import type { Clock } from '../core/clock.js';
import { AppError } from '../core/errors.js';
import type { Approver, Form, FormReply } from '../core/forms.js';
import type { IdSource } from '../core/ids.js';
import { isByPerson } from '../inputs/presence.js';
import {
  isPersonNeeded,
  refuseWithoutScope,
  type BypassConsent,
  type CallerStanding,
} from '../policy/approvals.js';
import { mayBypass } from '../policy/bypass.js';
import type { PolicySettings } from '../policy/settings.js';
import { callerFields } from '../session/report/audit-entries.js';

export interface BypassSwitchSettings {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly audit: Audit;
  readonly policy: PolicySettings;
  readonly approvers: ReadonlySet<Approver>;
  readonly standingOf: (caller: Caller) => CallerStanding;
  /** Called when a person behind this client has answered the form. */
  readonly onAnswered: (clientKey: string) => void;
  /** Ends the mode in the sessions that rely on the consent of this client. */
  readonly onEnded: (clientKey: string) => Promise<void>;
}

interface Enabled {
  readonly by: BypassConsent;
  readonly until: number;
  readonly stopTimer: () => void;
}

/** The state of the switch as callers see it. */
export interface BypassReport {
  readonly allowBypass: boolean;
  readonly message: string;
}

/** A form for a person, whose reply counts once. */
export interface BypassQuestion {
  readonly requestId: string;
  readonly form: Form;
  readonly askedAt: number;
}

const lifetimeMs = 30 * 60_000;
/** Later approvals are ignored, because by then the person may not remember the question. */
const answerWithinMs = 5 * 60_000;
const maxQuestions = 20;

const form: Form = {
  message:
    'Allow new Claude Code sessions to run every tool without approval for the next 30 minutes?\nAn MCP client requests this. In mode "bypassPermissions", sessions can run any command, change any file and contact any address. Allow it only if you asked for it.',
  fields: {
    decision: {
      type: 'string',
      title: 'Decision',
      enum: ['allow', 'deny'],
      enumNames: ['Allow for 30 minutes', 'Deny'],
    },
  },
  required: ['decision'],
};

/**
 * Lets new sessions of a client run everything without asking: off by default, enabled for a limited time, confirmed
 * each time.
 */
export class BypassSwitch {
  readonly #settings: BypassSwitchSettings;
  readonly #enabled = new Map<string, Enabled>();
  readonly #questions = new Map<string, { readonly clientKey: string; readonly askedAt: number }>();

  constructor(settings: BypassSwitchSettings) {
    this.#settings = settings;
  }

  /** Who enabled it for this client, while it lasts. */
  consentOf(clientKey: string): BypassConsent | undefined {
    const enabled = this.#enabled.get(clientKey);
    return enabled !== undefined && this.#settings.clock.now() < enabled.until ? enabled.by : undefined;
  }

  report(caller: Caller, news = ''): BypassReport {
    const { policy, standingOf } = this.#settings;
    const allowBypass = mayBypass(policy, standingOf(caller));
    return { allowBypass, message: `${news}${this.#words(clientKeyOf(caller), allowBypass)}` };
  }

  /** Whether the operator's settings already allow it. */
  isGranted(caller: Caller): boolean {
    const { policy, standingOf } = this.#settings;
    return mayBypass(policy, { ...standingOf(caller), bypass: undefined });
  }

  /** Enables it for a client that cannot show forms, if approvals by the caller count. */
  enableWithoutPerson(caller: Caller): BypassReport {
    const { policy, standingOf } = this.#settings;
    refuseWithoutScope(caller);
    if (isPersonNeeded(policy, standingOf(caller))) throw this.#refusal(caller);
    void this.#switch(caller, true, 'caller');
    return this.report(caller);
  }

  /** Also ends the mode in the sessions that use it, before it returns. */
  async disable(caller: Caller): Promise<BypassReport> {
    const clientKey = clientKeyOf(caller);
    // Replies to earlier forms must not enable it again.
    for (const [requestId, question] of this.#questions) {
      if (question.clientKey === clientKey) this.#questions.delete(requestId);
    }
    await this.#switch(caller, false, 'caller');
    return this.report(caller);
  }

  /** Cancels the timers: a server that shuts down ends its sessions anyway. */
  close(): void {
    for (const { stopTimer } of this.#enabled.values()) stopTimer();
  }

  /** Returns the form for a client that shows it itself and calls again. */
  ask(caller: Caller): BypassQuestion {
    const clientKey = clientKeyOf(caller);
    const requestId = this.#settings.ids.short();
    const askedAt = this.#settings.clock.elapsed();
    this.#questions.set(requestId, { clientKey, askedAt });
    const [oldest] = this.#questions.keys();
    if (this.#questions.size > maxQuestions && oldest !== undefined) this.#questions.delete(oldest);
    return { requestId, form, askedAt };
  }

  /** Takes the reply to a form. Each form is answered once. */
  takeBack(requestId: string, caller: Caller, reply: FormReply): BypassReport {
    refuseWithoutScope(caller);
    const question = this.#questions.get(requestId);
    if (question?.clientKey !== clientKeyOf(caller))
      return this.report(caller, 'This form is no longer open. ');
    this.#questions.delete(requestId);
    return this.#settle(caller, verdictOf(reply, this.#settings.clock.elapsed() - question.askedAt));
  }

  /** Shows the form through a client that accepts forms at any time. */
  async show(
    caller: Caller,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<BypassReport> {
    const approver = [...this.#settings.approvers].find(
      ({ who, can }) => can.showForms && clientKeyOf(who) === clientKeyOf(caller),
    );
    const { requestId } = this.ask(caller);
    // A form that could not be shown, or that nobody answered in time, counts as no answer.
    const reply = await approver?.show(form, options).catch(() => undefined);
    return this.takeBack(requestId, caller, reply ?? { action: 'cancel' });
  }

  #settle(caller: Caller, verdict: 'allow' | 'deny' | undefined): BypassReport {
    const { policy, onAnswered } = this.#settings;
    const clientKey = clientKeyOf(caller);
    if (verdict !== undefined) {
      onAnswered(clientKey);
      void this.#switch(caller, verdict === 'allow', 'person');
    }
    if (verdict === 'allow') return this.report(caller);
    if (policy.approvals === 'human') throw this.#refusal(caller);
    return this.report(caller, verdict === 'deny' ? 'A person denied this. ' : 'Nobody answered the form. ');
  }

  #switch(caller: Caller, isOn: boolean, by: BypassConsent): Promise<void> {
    const { clock, audit } = this.#settings;
    const clientKey = clientKeyOf(caller);
    const entry = { what: 'bypass_switched', isOn, by, ...callerFields(caller) } as const;
    if (!isOn) {
      audit.record(entry);
      return this.#end(clientKey);
    }
    audit.recordOrThrow(entry);
    this.#enabled.get(clientKey)?.stopTimer();
    const stopTimer = clock.after(lifetimeMs, () => void this.#end(clientKey));
    this.#enabled.set(clientKey, { by, until: clock.now() + lifetimeMs, stopTimer });
    return Promise.resolve();
  }

  #end(clientKey: string): Promise<void> {
    this.#enabled.get(clientKey)?.stopTimer();
    this.#enabled.delete(clientKey);
    return this.#settings.onEnded(clientKey);
  }

  #words(clientKey: string, isOn: boolean): string {
    if (!isOn) return 'New sessions may not use mode "bypassPermissions".';
    const until = this.#enabled.get(clientKey)?.until;
    return until === undefined
      ? 'The operator allows every session to use mode "bypassPermissions" (CLAUDE_CODE_MCP_CALLER_TRUST=full).'
      : `New sessions may use mode "bypassPermissions" until ${new Date(until).toISOString()}. Sessions that use it then return to mode "default".`;
  }

  #refusal({ canAskPerson }: Caller): AppError {
    return new AppError('bypass_needs_person', { canAskPerson });
  }
}

/** Returns the person's decision; undefined if no person answered, or the reply is neither yes nor no. */
function verdictOf(reply: FormReply, elapsedMs: number): 'allow' | 'deny' | undefined {
  if (!isByPerson(reply, elapsedMs) || elapsedMs > answerWithinMs) return undefined;
  if (reply.action !== 'accept') return 'deny';
  const { decision } = reply.content;
  return decision === 'allow' || decision === 'deny' ? decision : undefined;
}
