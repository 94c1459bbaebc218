import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dbQuestion } from '../kit/questions.js';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { tool } from '../kit/model-steps.js';
import { ask, any, exists, human, review, start, touch, wants } from '../kit/approval-moves.js';

async function stillAsks({ server }: InProcessScene, sessionId: string, type: string): Promise<void> {
  const still = await server.call('claude_code_check', { sessionId, waitMs: 0 });
  expect(still.json).toMatchObject({ status: 'waiting', actions: [{ type, accepts: ['deny'] }] });
}

describe('where only people approve, a caller cannot start a session', () => {
  it.each([
    ['a bare tool', { allowedTools: ['Bash'] }, 'allowedTools "Bash"'],
    ['a rule', { allowedTools: ['Bash(npm test)'] }, 'allowedTools "Bash(npm test)"'],
    ['an editing tool', { allowedTools: ['Edit'] }, 'allowedTools "Edit"'],
    ['a tool behind harmless ones', { allowedTools: ['Read', 'Write'] }, 'allowedTools "Write"'],
    ['the tool of an MCP server', { allowedTools: ['mcp__db__query'] }, 'allowedTools "mcp__db__query"'],
    ['acceptEdits', { permissionMode: 'acceptEdits' }, 'permissionMode "acceptEdits"'],
    ['auto', { permissionMode: 'auto' }, 'permissionMode "auto"'],
    ['bypassPermissions', { permissionMode: 'bypassPermissions' }, 'permissionMode "bypassPermissions"'],
  ])('with %s', async (_name, options, named) => {
    const scene = await startInProcess({ era: 'modern', env: human });
    wants(scene, tool('Bash', touch));

    const refused = await start(scene, options);
    const list = await scene.server.call('claude_code_session', { action: 'list' });

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]/);
    expect(refused.text).toContain(named);
    expect(list.json.sessions).toEqual([]);
    expect(scene.model.requests()).toEqual([]);
  });
});

describe('where only people approve, a caller cannot approve', () => {
  it.each([
    ['once', { decision: 'allow' }],
    ['for the session', { decision: 'allow_for_session' }],
    ['something else instead', { decision: 'allow', updatedInput: { command: 'touch b.txt' } }],
    [
      'by a rule',
      {
        decision: 'allow',
        updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'touch *' }] }],
      },
    ],
    ['by a mode', { decision: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }] }],
  ])('a tool %s', async (_name, answer) => {
    const scene = await startInProcess({ era: 'legacy', env: human });
    const { sessionId, requestId, action } = await ask(scene);

    const refused = await scene.server.call('claude_code_respond', { requestId, ...answer });

    expect(action).toMatchObject({ type: 'permission', toolName: 'Bash', accepts: ['deny'] });
    expect(refused.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: only a person may approve .*CLAUDE_CODE_MCP_APPROVALS=human.*still open/s,
    );
    await stillAsks(scene, sessionId, 'permission');
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([false, false]);
  });

  it.each([
    ['as it is', {}],
    ['with a mode after it', { nextMode: 'acceptEdits' }],
    ['with the default mode after it', { nextMode: 'default' }],
    ['edited', { plan: '# Plan\nTouch two files.' }],
  ])('a plan %s', async (_name, answer) => {
    const scene = await startInProcess({ era: 'modern', env: human });
    const { sessionId, requestId, action } = await review(scene);

    const refused = await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      ...answer,
    });

    expect(action).toMatchObject({ type: 'plan_review', accepts: ['deny'] });
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: only a person may approve/);
    await stillAsks(scene, sessionId, 'plan_review');
    expect(exists(scene, 'a.txt')).toBe(false);
  });

  it('by the check of the four-tool design', async () => {
    const scene = await startInProcess({
      era: 'modern',
      env: { ...human, CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' },
    });
    const { sessionId, requestId } = await ask(scene);

    const refused = await scene.server.call('claude_code_check', {
      action: 'respond_permission',
      sessionId,
      requestId,
      decision: 'allow',
    });
    const still = await scene.server.call('claude_code_check', { action: 'poll', sessionId });

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: only a person may approve/);
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

/** Ways in which a caller got more than the default from a server on which callers approve. */
const headStarts: [string, (scene: InProcessScene) => Promise<string>][] = [
  ['acceptEdits', async (scene) => (await start(scene, { permissionMode: 'acceptEdits' })).json.sessionId],
  ['allowedTools', async (scene) => (await start(scene, { allowedTools: ['Bash'] })).json.sessionId],
  [
    'a mode after its plan',
    async (scene) => {
      const { sessionId, requestId } = await review(scene);
      const next = await scene.server.call('claude_code_respond', {
        requestId,
        decision: 'allow',
        nextMode: 'acceptEdits',
      });
      expect(next.json.status).toBe('idle');
      return sessionId;
    },
  ],
  [
    'a mode that was named with an approval',
    async (scene) => {
      const { sessionId, requestId } = await ask(scene);
      await scene.server.call('claude_code_respond', {
        requestId,
        decision: 'allow',
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }],
      });
      return sessionId;
    },
  ],
];

describe.each(headStarts)('a session that had %s where callers approve', (_name, begin) => {
  it.each([
    ['resumed', false],
    ['forked', true],
  ])('is %s without it where only people do', async (_how, forkSession) => {
    const before = await startInProcess({ era: 'modern', env: any });
    wants(before, tool('Bash', touch));
    const sessionId = await begin(before);
    const scene = await restartInProcess(before, { era: 'modern', env: human });
    wants(scene, tool('Write', { file_path: join(scene.sandbox.project, 'b.txt'), content: 'b' }));

    const { json } = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      forkSession,
      waitMs: 20_000,
    });

    expect(json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Write', accepts: ['deny'] }],
      notRestored: [expect.stringMatching(/^(permissionMode|allowedTools)$/)],
    });
    expect(scene.world.launches.at(-1)?.permissionMode).toBe('default');
    expect(scene.world.launches.at(-1)?.allowedTools ?? []).toEqual([]);
    expect(exists(scene, 'b.txt')).toBe(false);
  });
});

/** What a caller may allow for a session where callers approve. */
const callerGrants: [string, string, Record<string, unknown>][] = [
  ['a call', 'echo x >> a.txt', { decision: 'allow_for_session' }],
  ['what a rule covers', 'npm run one', { decision: 'allow_for_session' }],
  [
    'a whole tool',
    'touch a.txt',
    { decision: 'allow', updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash' }] }] },
  ],
];

describe.each(callerGrants)('%s that a caller has allowed for the session', (_name, command, answer) => {
  it.each([
    ['resumed', false],
    ['forked', true],
  ])('is asked again where only people approve, %s', async (_how, forkSession) => {
    const before = await startInProcess({ era: 'legacy', env: any });
    const { sessionId, requestId } = await ask(before, tool('Bash', { command }));
    await before.server.call('claude_code_respond', { requestId, ...answer });
    const scene = await restartInProcess(before, { era: 'legacy', env: human });

    const again = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      forkSession,
      waitMs: 20_000,
    });

    expect(again.json).toMatchObject({
      status: 'waiting',
      actions: [{ type: 'permission', input: { command }, accepts: ['deny'] }],
    });
    expect(again.json.actions?.[0]).not.toHaveProperty('grant');
  });
});

describe('where only people approve, a caller may', () => {
  it('deny a tool and a plan', async () => {
    const scene = await startInProcess({ era: 'modern', env: human });
    const permission = await ask(scene);
    const afterTool = await scene.server.call('claude_code_respond', {
      requestId: permission.requestId,
      decision: 'deny',
      message: 'Not today.',
    });
    const plan = await review(scene);
    const afterPlan = await scene.server.call('claude_code_respond', {
      requestId: plan.requestId,
      decision: 'deny',
      message: 'Another plan.',
      interrupt: true,
    });

    expect(afterTool.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(JSON.stringify(scene.model.requests(permission.sessionId).at(-1)?.body)).toContain('Not today.');
    expect(afterPlan.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    expect(exists(scene, 'a.txt')).toBe(false);
  });

  it('answer a question', async () => {
    const scene = await startInProcess({ era: 'legacy', env: human });
    const { sessionId, requestId, action } = await ask(
      scene,
      tool('AskUserQuestion', { questions: [dbQuestion] }),
    );

    const answered = await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      answers: { 'Which DB?': 'Redis' },
    });

    expect(action).toMatchObject({ type: 'user_question', accepts: ['allow', 'deny'], needs: ['answers'] });
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(JSON.stringify(scene.model.requests(sessionId).at(-1)?.body)).toContain('Redis');
  });

  it.each([
    ['read-only tools', { allowedTools: ['Read', 'Glob', 'Grep', 'TodoWrite', 'Read(src/**)'] }],
    ['tools that never run', { disallowedTools: ['Bash', 'Edit(src/**)'] }],
    ['plan mode', { permissionMode: 'plan' }],
    ['the default mode', { permissionMode: 'default' }],
  ])('start a session with %s', async (_name, options) => {
    const scene = await startInProcess({ era: 'modern', env: human });
    wants(scene, tool('Read', { file_path: join(scene.sandbox.project, 'missing.txt') }));

    const done = await start(scene, options);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over', isError: false } });
  });

  it('resume and fork what it began without asking for more', async () => {
    const before = await startInProcess({ era: 'modern', env: any });
    const first = await start(before);
    const scene = await restartInProcess(before, { era: 'modern', env: human });
    const reply = { sessionId: first.json.sessionId, prompt: 'go on', waitMs: 20_000 };

    const resumed = await scene.server.call('claude_code_reply', reply);
    const forked = await scene.server.call('claude_code_reply', { ...reply, forkSession: true });

    expect(resumed.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(forked.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
  });
});

describe('what the operator lets callers allow in advance', () => {
  const env = { ...human, CLAUDE_CODE_MCP_PREALLOW: 'Bash,Edit(docs/**)' };

  it('runs without approval for a caller who asked for it, and for nobody else', async () => {
    const scene = await startInProcess({ era: 'modern', env });
    wants(scene, tool('Bash', touch));

    const without = await start(scene);
    const wasWritten = exists(scene, 'a.txt');
    const allowed = await start(scene, { allowedTools: ['Bash'] });

    expect(without.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(wasWritten).toBe(false);
    expect(allowed.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
  });

  it('covers no other tool, and a rule with a pattern is taken but still asked', async () => {
    const scene = await startInProcess({ era: 'modern', env });
    wants(scene, tool('Write', { file_path: join(scene.sandbox.project, 'docs', 'a.md'), content: 'a' }));

    const other = await start(scene, { allowedTools: ['Bash', 'Write'] });
    const pattern = await start(scene, { allowedTools: ['Edit(docs/**)'] });

    expect(other.text).toMatch(/^Error \[PERMISSION_DENIED\]: allowedTools "Write"/);
    expect(pattern.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Write' }] });
    expect(exists(scene, 'docs')).toBe(false);
  });
});
