import type { HookCallback, Options, PermissionUpdate } from '@anthropic-ai/claude-agent-sdk';
import type { BackendHost } from '../../core/claude/backend.js';
import type { InputAsk } from '../../core/session/inputs.js';
import { isSingleRule } from '../../core/options/tools.js';
import { plainAsk } from '../shared/asks.js';
import { isObject } from '../../core/json.js';
import { namedUpdates } from '../shared/updates.js';
import { AllowedCalls } from './allowed-calls.js';

/** Equals the longest deadline, because a person may need days. */
const gateTimeoutSeconds = 7 * 86_400;

/** The types of subagents by their ids. A permission request names the id only, but the hook before it names both. */
type AgentTypes = Map<string, string>;

/** Everything that Claude Code can ask of its host. Requests that cannot be answered here are declined and reported. */
export function callbacksFor(
  host: BackendHost,
  interrupt: () => void,
): Pick<Options, 'canUseTool' | 'onUserDialog' | 'onElicitation' | 'hooks'> {
  const report = (text: string): void =>
    host.onSignal({ type: 'event', event: { type: 'status', text } }, undefined);
  const allowed = new AllowedCalls();
  const agents: AgentTypes = new Map();
  return {
    async canUseTool(toolName, input, options) {
      const answer =
        allowed.take(options.toolUseID, toolName, input) ??
        (await host.onAsk(toAsk(toolName, input, options, agents), options.signal));
      if (answer.decision === 'deny') {
        return { behavior: 'deny', message: answer.message, interrupt: answer.interrupt };
      }
      const { updatedInput = input, forSession = false } = answer;
      const updatedPermissions = [
        ...namedUpdates(answer),
        ...(forSession ? sessionRules(toolName, options.suggestions) : []),
      ];
      return {
        behavior: 'allow',
        updatedInput: { ...updatedInput },
        ...(updatedPermissions.length === 0 ? {} : { updatedPermissions }),
      };
    },
    hooks: {
      // Fails closed: without `onFailure`, an error in the gate would let the call through.
      PreToolUse: [
        { hooks: [gate(host, allowed, agents, interrupt)], onFailure: 'block', timeout: gateTimeoutSeconds },
      ],
    },
    onUserDialog(request) {
      report(`Claude Code opened a dialog (${request.dialogKind}), which was cancelled`);
      return Promise.resolve({ behavior: 'cancelled' });
    },
    onElicitation(request) {
      report(`The MCP server ${request.serverName} asked for input, which was cancelled`);
      return Promise.resolve({ action: 'cancel' });
    },
  };
}

/**
 * Sees every tool call before Claude Code's rules do, and holds those that need approval. Asking later would be too
 * late: a PermissionRequest hook of the user or the repository can answer faster than a person.
 */
function gate(
  host: BackendHost,
  allowed: AllowedCalls,
  agents: AgentTypes,
  interrupt: () => void,
): HookCallback {
  return async (hook, _toolUseId, { signal }) => {
    if (hook.hook_event_name !== 'PreToolUse') return {};
    const { tool_name: toolName, tool_use_id: toolUseId, cwd, permission_mode: permissionMode = '' } = hook;
    const input = isObject(hook.tool_input) ? hook.tool_input : {};
    if (hook.agent_id !== undefined && hook.agent_type !== undefined)
      agents.set(hook.agent_id, hook.agent_type);
    const decision = host.judge({ toolUseId, toolName, input, cwd, permissionMode });
    if (decision === 'pass') return {};
    const answer = await host.onAsk(
      toAsk(
        toolName,
        input,
        {
          toolUseID: toolUseId,
          // A plan review needs no reason.
          ...(toolName === 'ExitPlanMode' ? {} : { decisionReason: decision.ask }),
          ...(hook.agent_id === undefined ? {} : { agentID: hook.agent_id }),
        },
        agents,
      ),
      signal,
    );
    if (answer.decision === 'deny') {
      if (answer.interrupt) interrupt();
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          // The model reads it after "hook error:", where feedback on a plan would look like a fault.
          permissionDecisionReason: `Not approved. ${answer.message}`,
        },
      };
    }
    const isPlan = toolName === 'ExitPlanMode';
    allowed.add(toolUseId, toolName, isPlan ? input : (answer.updatedInput ?? input), answer);
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: decision.ask,
        // Returned here, an edited input must still pass the deny rules. An edited plan would look like Claude's own.
        ...(answer.updatedInput === undefined || isPlan ? {} : { updatedInput: { ...answer.updatedInput } }),
      },
    };
  };
}

/**
 * Claude's suggestions that are rules for this tool, scoped to the session. Others change the mode, add folders or
 * write settings files: approving one `touch` would accept every later edit.
 */
function sessionRules(toolName: string, suggestions: readonly PermissionUpdate[] = []): PermissionUpdate[] {
  return suggestions.flatMap((suggestion): PermissionUpdate[] => {
    if (suggestion.type !== 'addRules' || suggestion.behavior !== 'allow') return [];
    const rules = suggestion.rules.filter(
      // Text that contains several rules would be split when it is passed to the next process.
      (rule) => rule.toolName === toolName && rule.ruleContent !== undefined && isSingleRule(ruleText(rule)),
    );
    return rules.length === 0 ? [] : [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
  });
}

function ruleText({ toolName, ruleContent }: { toolName: string; ruleContent?: string }): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}

function ruleTexts(toolName: string, suggestions: readonly PermissionUpdate[] | undefined): string[] {
  return sessionRules(toolName, suggestions).flatMap((update) =>
    update.type === 'addRules' ? update.rules.map(ruleText) : [],
  );
}

function toAsk(
  toolName: string,
  input: Record<string, unknown>,
  options: Omit<Parameters<NonNullable<Options['canUseTool']>>[2], 'signal' | 'requestId'>,
  agents: AgentTypes,
): InputAsk {
  const suggestedRules = ruleTexts(toolName, options.suggestions);
  const { agentID } = options;
  return {
    ...plainAsk(toolName, options.toolUseID, input),
    ...(options.decisionReason === undefined ? {} : { reason: options.decisionReason }),
    ...(options.blockedPath === undefined ? {} : { blockedPath: options.blockedPath }),
    ...(agentID === undefined ? {} : { agent: agents.get(agentID) ?? agentID }),
    ...(suggestedRules.length === 0 ? {} : { suggestedRules }),
  };
}
