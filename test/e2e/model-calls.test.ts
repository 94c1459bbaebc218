import { describe, expect, it } from 'vitest';
import { shareScene } from '../kit/fixture.js';
import { repeat, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

/** What a subagent can still ask for until the interrupt has reached Claude Code. */
const inFlight = 2;

describe("the operator's limit of model calls", () => {
  const scene = shareScene({ era: 'modern', env: { CLAUDE_CODE_MCP_MAX_TURNS: '5' } });
  const start = (prompt: string, more: object = {}) =>
    scene().server.call('claude_code', { prompt, cwd: scene().sandbox.project, waitMs: 20_000, ...more });

  it.each([
    ['built-in', { subagent_type: 'general-purpose' }, {}],
    [
      "caller's own",
      { subagent_type: 'digger' },
      { advanced: { agents: { digger: { description: 'digs', prompt: 'Dig.', maxTurns: 5 } } } },
    ],
  ])('holds for a %s subagent that never ends', async (name, kind, more) => {
    const { model } = scene();
    model.when(`dig with a ${name} agent`, [
      tool('Agent', {
        description: 'dig',
        prompt: `the hole of the ${name} agent`,
        run_in_background: false,
        ...kind,
      }),
      text('Dug.'),
    ]);
    model.when(`the hole of the ${name} agent`, [repeat(tool('Bash', { command: 'echo dig' }))]);

    const { json } = await start(`dig with a ${name} agent`, more);

    expect(json).toMatchObject({
      status: 'error',
      result: {
        errorSubtype: 'max_turns',
        isError: true,
        nextStep: 'Reply to continue, or ask the operator to raise CLAUDE_CODE_MCP_MAX_TURNS.',
      },
    });
    const calls = model.requests(json.sessionId);
    expect(calls.some(({ agentId }) => agentId !== undefined)).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(5 + inFlight);
  });

  it('holds for a subagent that continues in the background', async () => {
    const { model, server } = scene();
    const prompt = 'the hole in the background';
    model.when('dig later', [
      tool('Agent', {
        description: 'dig',
        prompt,
        subagent_type: 'general-purpose',
        run_in_background: true,
      }),
      text('It digs.'),
    ]);
    model.when(prompt, [repeat(tool('Bash', { command: 'echo dig' }))]);

    const { sessionId } = (await start('dig later')).json;
    const isStopped = await until('the end of the process', async () => {
      const { json } = await server.call('claude_code_check', { sessionId, cursor: 0, include: ['events'] });
      const hasSaidSo = JSON.stringify(json.events).includes('Claude Code was stopp');
      return hasSaidSo && json.tasks === undefined;
    });

    expect(isStopped).toBe(true);
  });

  it('refuses an agent that may make more', async () => {
    const agents = { digger: { description: 'digs', prompt: 'Dig.', maxTurns: 6 } };

    const { text: words } = await start('dig', { advanced: { agents } });

    expect(words).toMatch(/^Error \[PERMISSION_DENIED\]: .*agents\.digger\.maxTurns 6 exceeds/);
  });
});
