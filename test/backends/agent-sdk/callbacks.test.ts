import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callbacksFor } from '../../../src/backends/agent-sdk/callbacks.js';
import { GateProof } from '../../../src/backends/gate/gate-proof.js';
import type { BackendHost, BackendSignal } from '../../../src/core/claude/backend.js';
import type { InputAnswer, InputAsk } from '../../../src/core/session/inputs.js';

function createHost(answer: InputAnswer = { decision: 'allow' }) {
  const asked: InputAsk[] = [];
  const signals: BackendSignal[] = [];
  const host: BackendHost = {
    onSignal: (signal) => void signals.push(signal),
    onAsk: async (ask) => {
      asked.push(ask);
      return answer;
    },
    onMessage: undefined,
    judge: ({ toolName }) => (toolName === 'Write' ? { ask: 'because', isGrantable: false } : 'pass'),
    onExit: () => undefined,
  };
  const { canUseTool, onUserDialog, onElicitation, hooks } = callbacksFor(
    host,
    () => undefined,
    new GateProof({}),
  );
  if (canUseTool === undefined || onUserDialog === undefined || onElicitation === undefined) {
    throw new Error('a callback is missing: Claude Code would wait for ever');
  }
  return { asked, signals, canUseTool, onUserDialog, onElicitation, hooks };
}

const { signal } = new AbortController();
const basics = { signal, toolUseID: 'toolu_1', requestId: 'sdk-1' };

describe('a question from Claude Code', () => {
  it.each([
    ['Bash', 'permission'],
    ['ExitPlanMode', 'plan_review'],
    ['AskUserQuestion', 'user_question'],
    ['constructor', 'permission'],
  ])('about %s is a %s', async (toolName, kind) => {
    const { asked, canUseTool } = createHost();

    await canUseTool(toolName, { a: 1 }, basics);

    expect(asked).toEqual([{ kind, toolName, toolUseId: 'toolu_1', input: { a: 1 } }]);
  });

  it.each([
    [{}, 'A skill can let tools run without further approval'],
    [{ decisionReason: 'because' }, 'A skill can let tools run without further approval. because'],
  ])('about a skill says what may follow from it, besides any other reason: %j', async (more, reason) => {
    const { asked, canUseTool } = createHost();

    await canUseTool('Skill', { skill: 'make' }, { ...basics, ...more });

    expect(asked).toMatchObject([{ toolName: 'Skill', reason }]);
  });

  it("includes the agent's description, the reason, the path and the subagent", async () => {
    const { asked, canUseTool } = createHost();

    await canUseTool(
      'Bash',
      { command: 'id', description: 'Show the folder' },
      { ...basics, decisionReason: 'outside', blockedPath: '/etc', agentID: 'a1' },
    );

    expect(asked).toMatchObject([
      { claudeSays: 'Show the folder', reason: 'outside', blockedPath: '/etc', agent: 'a1' },
    ]);
  });
});

describe('an answer', () => {
  it('echoes the input when it allows the call', async () => {
    const { canUseTool } = createHost();

    expect(await canUseTool('Bash', { command: 'ls' }, basics)).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
    });
  });

  it('runs the changed input', async () => {
    const { canUseTool } = createHost({ decision: 'allow', updatedInput: { command: 'pwd' } });

    expect(await canUseTool('Bash', { command: 'ls' }, basics)).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'pwd' },
    });
  });

  it('contains the reason of a denial, and whether to stop', async () => {
    const { canUseTool } = createHost({ decision: 'deny', message: 'no', interrupt: true });

    expect(await canUseTool('Bash', {}, basics)).toEqual({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
    });
  });
});

describe('a request that cannot be answered', () => {
  it('is cancelled and reported: a dialog', async () => {
    const { signals, onUserDialog } = createHost();

    const answer = await onUserDialog({ dialogKind: 'trust', payload: {} }, { signal, requestId: 'sdk-1' });

    expect(answer).toEqual({ behavior: 'cancelled' });
    expect(signals).toEqual([
      {
        type: 'event',
        event: { type: 'status', text: 'Claude Code opened a dialog (trust), which was cancelled' },
      },
    ]);
  });

  it('is cancelled and reported: the form of an MCP server', async () => {
    const { signals, onElicitation } = createHost();

    const answer = await onElicitation(
      { serverName: 'github', message: 'Who?' },
      { signal, requestId: 'sdk-1' },
    );

    expect(answer).toEqual({ action: 'cancel' });
    expect(signals).toMatchObject([
      { event: { text: 'The MCP server github asked for input, which was cancelled' } },
    ]);
  });
});

describe('an approval for the session', () => {
  const suggestions = [
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    { type: 'addDirectories', directories: ['/'], destination: 'session' },
    {
      type: 'addRules',
      rules: [
        { toolName: 'Bash', ruleContent: 'npm run *' },
        { toolName: 'Bash' },
        { toolName: 'Write', ruleContent: 'x' },
      ],
      behavior: 'allow',
      destination: 'localSettings',
    },
  ] as const;

  it('adopts only the suggested rules for this tool, scoped to the session', async () => {
    const { asked, canUseTool } = createHost({ decision: 'allow', forSession: true });

    const result = await canUseTool(
      'Bash',
      { command: 'npm run a' },
      { ...basics, suggestions: structuredClone(suggestions) as never },
    );

    expect(asked[0]?.suggestedRules).toEqual(['Bash(npm run *)']);
    expect(result).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'npm run a' },
      updatedPermissions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'npm run *' }],
          behavior: 'allow',
          destination: 'session',
        },
      ],
    });
  });
});

describe('the gate', () => {
  const call = async (
    toolName: string,
    { hooks } = createHost(),
    agent: { agent_id?: string; agent_type?: string } = {},
  ): Promise<unknown> => {
    const [matcher] = hooks?.PreToolUse ?? [];
    const input = {
      ...agent,
      hook_event_name: 'PreToolUse' as const,
      tool_name: toolName,
      tool_input: {},
      tool_use_id: 'toolu_1',
      session_id: 's',
      transcript_path: '',
      cwd: '/',
      permission_mode: 'plan',
    };
    return matcher?.hooks[0]?.(input, 'toolu_1', { signal });
  };

  it('makes Claude Code ask whenever the host requires it, and ignores the rest', async () => {
    expect([await call('Write'), await call('Read')]).toEqual([
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'ask',
          permissionDecisionReason: 'because',
        },
      },
      {},
    ]);
  });

  it('introduces a denial, which Claude Code shows to the model as the error of a hook', async () => {
    const host = createHost({ decision: 'deny', message: 'Use another file.', interrupt: false });

    expect(await call('Write', host)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Not approved. Use another file.',
      },
    });
  });

  it('learns the type of a subagent, which every request of it then names', async () => {
    const host = createHost();

    await call('Write', host, { agent_id: 'a1', agent_type: 'Explore' });
    await host.canUseTool('Bash', { command: 'ls' }, { ...basics, toolUseID: 'toolu_2', agentID: 'a1' });

    expect(host.asked).toMatchObject([
      { toolName: 'Write', agent: 'Explore' },
      { toolName: 'Bash', agent: 'Explore' },
    ]);
  });

  it('passes on an approval once, however long other hooks keep Claude Code from asking again', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const host = createHost();
    await call('Write', host);

    await vi.advanceTimersByTimeAsync(600_000);
    const once = await host.canUseTool('Write', {}, basics);
    await host.canUseTool('Write', {}, basics);

    expect(once).toEqual({ behavior: 'allow', updatedInput: {} });
    expect(host.asked).toHaveLength(2);
  });

  it('asks again about a call that has changed since it was allowed', async () => {
    const host = createHost();
    await call('Write', host);

    await host.canUseTool('Write', { file_path: '/a' }, basics);

    expect(host.asked).toMatchObject([{ input: {} }, { input: { file_path: '/a' } }]);
  });

  it('blocks the call when it fails', () => {
    expect(createHost().hooks?.PreToolUse).toMatchObject([{ onFailure: 'block' }]);
  });
});
