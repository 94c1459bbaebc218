import type { BackendHost } from '../../core/claude/backend.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { isSingleRule } from '../../core/options/tools.js';
import type { InputAsk } from '../../core/session/inputs.js';
import type { GateProof } from './gate-proof.js';
import { AllowedCalls } from './allowed-calls.js';
import { plainAsk } from './asks.js';
import { namedUpdates, type ClaudeUpdate } from './updates.js';

/** Equals the longest deadline, because a person may need days. */
export const gateTimeoutSeconds = 7 * 86_400;

interface Rule {
  readonly toolName: string;
  readonly ruleContent?: string;
}

/** A permission update that Claude Code suggests. Only those that add rules have rules. */
interface Suggestion {
  readonly type: string;
  readonly behavior?: string;
  readonly rules?: readonly Rule[];
}

/** A call that Claude Code asks about. */
export interface AskedCall {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: JsonObject;
  readonly suggestions?: readonly Suggestion[];
  readonly decisionReason?: string;
  readonly blockedPath?: string;
  /** The subagent that makes the call. */
  readonly agentId?: string;
}

/** What Claude Code tells a PreToolUse hook. */
export interface HookedCall {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: unknown;
  readonly cwd: string;
  readonly permissionMode: string;
  readonly agentId?: string;
  readonly agentType?: string;
}

/** The answer to a call, as Claude Code takes it. */
export type Verdict =
  | { behavior: 'deny'; message: string; interrupt?: boolean }
  | { behavior: 'allow'; updatedInput: Record<string, unknown>; updatedPermissions?: ClaudeUpdate[] };

/** The answer of a PreToolUse hook, as Claude Code takes it. Empty: its own rules decide. */
export interface HookVerdict {
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'ask' | 'deny';
    permissionDecisionReason: string;
    updatedInput?: Record<string, unknown>;
  };
}

/** Everything that Claude Code can ask of its host. Requests that cannot be answered here are declined and reported. */
export class HostCallbacks {
  readonly #host: BackendHost;
  readonly #interrupt: () => void;
  readonly #proof: GateProof;
  readonly #allowed = new AllowedCalls();
  /** The types of subagents by their ids. A permission request names the id only, but the hook before it names both. */
  readonly #agents = new Map<string, string>();

  constructor(host: BackendHost, interrupt: () => void, proof: GateProof) {
    this.#host = host;
    this.#interrupt = interrupt;
    this.#proof = proof;
  }

  /** Comes before the first request to the model. The prompt itself is known. */
  beforePrompt(): Record<string, never> {
    this.#proof.give();
    return {};
  }

  async canUseTool(call: AskedCall, signal: AbortSignal): Promise<Verdict> {
    const { toolName, toolUseId, input, suggestions } = call;
    const answer =
      this.#allowed.take(toolUseId, toolName, input) ?? (await this.#host.onAsk(this.#toAsk(call), signal));
    if (answer.decision === 'deny')
      return {
        behavior: 'deny',
        message: answer.message,
        ...(answer.interrupt === undefined ? {} : { interrupt: answer.interrupt }),
      };
    const { updatedInput = input, forSession = false } = answer;
    const updatedPermissions = [
      ...namedUpdates(answer),
      ...(forSession ? sessionRules(toolName, suggestions) : []),
    ];
    return {
      behavior: 'allow',
      updatedInput: { ...updatedInput },
      ...(updatedPermissions.length === 0 ? {} : { updatedPermissions }),
    };
  }

  /**
   * The gate. It sees every tool call before Claude Code's rules do, and holds those that need approval. Asking later
   * would be too late: a PermissionRequest hook of the user or the repository can answer faster than a person.
   */
  async beforeTool(call: HookedCall, signal: AbortSignal): Promise<HookVerdict> {
    const { toolName, toolUseId, cwd, permissionMode, agentId, agentType } = call;
    const input = isObject(call.input) ? call.input : {};
    if (agentId !== undefined && agentType !== undefined) this.#agents.set(agentId, agentType);
    const decision = this.#host.judge({ toolUseId, toolName, input, cwd, permissionMode });
    if (decision === 'pass') return {};
    const isPlan = toolName === 'ExitPlanMode';
    const ask = this.#toAsk({
      toolName,
      toolUseId,
      input,
      // A plan review needs no reason.
      ...(isPlan ? {} : { decisionReason: decision.ask }),
      ...(agentId === undefined ? {} : { agentId }),
    });
    const answer = await this.#host.onAsk(ask, signal);
    if (answer.decision === 'deny') {
      if (answer.interrupt) this.#interrupt();
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          // The model reads it after "hook error:", where feedback on a plan would look like a fault.
          permissionDecisionReason: `Not approved. ${answer.message}`,
        },
      };
    }
    this.#allowed.add(toolUseId, toolName, isPlan ? input : (answer.updatedInput ?? input), answer);
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: decision.ask,
        // Returned here, an edited input must still pass the deny rules. An edited plan would look like Claude's own.
        ...(answer.updatedInput === undefined || isPlan ? {} : { updatedInput: { ...answer.updatedInput } }),
      },
    };
  }

  declineDialog(kind: string): { behavior: 'cancelled' } {
    this.#report(`Claude Code opened a dialog (${kind}), which was cancelled`);
    return { behavior: 'cancelled' };
  }

  declineElicitation(serverName: string): { action: 'cancel' } {
    this.#report(`The MCP server ${serverName} asked for input, which was cancelled`);
    return { action: 'cancel' };
  }

  #report(text: string): void {
    this.#host.onSignal({ type: 'event', event: { type: 'status', text } }, undefined);
  }

  #toAsk({
    toolName,
    toolUseId,
    input,
    suggestions,
    decisionReason,
    blockedPath,
    agentId,
  }: AskedCall): InputAsk {
    const suggestedRules = sessionRules(toolName, suggestions).flatMap(({ rules }) => rules.map(ruleText));
    return {
      ...plainAsk(toolName, toolUseId, input, decisionReason),
      ...(blockedPath === undefined ? {} : { blockedPath }),
      ...(agentId === undefined ? {} : { agent: this.#agents.get(agentId) ?? agentId }),
      ...(suggestedRules.length === 0 ? {} : { suggestedRules }),
    };
  }
}

type RuleUpdate = Extract<ClaudeUpdate, { type: 'addRules' }>;

/**
 * Claude's suggestions that are rules for this tool, scoped to the session. Others change the mode, add folders or
 * write settings files: approving one `touch` would accept every later edit.
 */
function sessionRules(toolName: string, suggestions: readonly Suggestion[] = []): RuleUpdate[] {
  return suggestions.flatMap(({ type, behavior, rules: suggested = [] }): RuleUpdate[] => {
    if (type !== 'addRules' || behavior !== 'allow') return [];
    const rules = suggested.filter(
      // Text that contains several rules would be split when it is passed to the next process.
      (rule) => rule.toolName === toolName && rule.ruleContent !== undefined && isSingleRule(ruleText(rule)),
    );
    return rules.length === 0
      ? []
      : [{ type: 'addRules', rules: [...rules], behavior: 'allow', destination: 'session' }];
  });
}

function ruleText({ toolName, ruleContent }: Rule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}
