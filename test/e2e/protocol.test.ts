import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

describe.each(['modern', 'legacy'] as const)('the server, %s era', (era) => {
  it('lists five tools in at most 7,000 bytes and teaches the flow in at most 1,200 characters', async () => {
    const { server } = await startScene({ era });

    const { tools } = await server.client.listTools();

    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['claude_code', undefined],
      ['claude_code_reply', undefined],
      ['claude_code_check', true],
      ['claude_code_respond', undefined],
      ['claude_code_session', undefined],
    ]);
    expect(
      tools.every(({ title, inputSchema }) => title !== undefined && inputSchema.type === 'object'),
    ).toBe(true);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(7_000);
    expect(server.client.getInstructions()?.length).toBeLessThan(1_200);
    expect(server.strayLines()).toEqual([]);
  });

  it('serves four tools with one that watches and answers, when the operator wants it so', async () => {
    const { server, model, sandbox } = await startScene({
      era,
      env: { CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' },
    });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
    const { tools } = await server.client.listTools();

    const started = await server.call('claude_code', { prompt: 'touch', cwd: sandbox.project });
    const { sessionId } = started.json;
    const polled = await server.call('claude_code_check', {
      action: 'poll',
      sessionId,
      pollOptions: { includeTools: true },
    });
    const requestId = polled.json.actions?.[0]?.requestId;
    const answered = await server.call('claude_code_check', {
      action: 'respond_permission',
      sessionId,
      requestId,
      decision: 'allow',
    });

    expect(tools.map(({ name }) => name)).toEqual([
      'claude_code',
      'claude_code_reply',
      'claude_code_check',
      'claude_code_session',
    ]);
    expect(polled.json.availableTools?.map(({ name }) => name)).toContain('Bash');
    expect(answered.json).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
  });

  it('lists and describes its sessions with their folders', async () => {
    const { server, sandbox } = await startScene({ era });
    const started = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      title: 'greeting',
      waitMs: 20_000,
    });
    const { sessionId } = started.json;

    const list = await server.call('claude_code_session', { action: 'list' });
    const got = await server.call('claude_code_session', { action: 'get', sessionId });

    expect(list.json).toEqual({
      sessions: [
        {
          sessionId,
          title: 'greeting',
          status: 'idle',
          outcome: 'completed',
          turn: 1,
          totalCostUsd: 0.0044,
          totalTokens: 1_020,
          lastUsedAt: expect.any(String),
          cwd: sandbox.project,
        },
      ],
    });
    expect(got.json).toMatchObject({
      sessionId,
      title: 'greeting',
      turn: 1,
      cwd: sandbox.project,
      options: { permissionMode: 'default' },
    });
  });
});

describe('the tool that watches and answers', () => {
  it('does not take the answer to a question for an approval', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' },
    });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
    const started = await server.call('claude_code', {
      prompt: 'touch',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId, actions } = started.json;

    const answered = await server.call('claude_code_check', {
      action: 'respond_user_input',
      sessionId,
      requestId: actions?.[0]?.requestId,
    });

    expect(answered.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: request .* is a permission.*respond_permission/,
    );
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });
});

describe('the user', () => {
  it('decides the default mode in the settings of Claude Code', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    writeFileSync(
      join(sandbox.configDir, 'settings.json'),
      JSON.stringify({ permissions: { defaultMode: 'acceptEdits' } }),
    );
    model.when('write', [
      tool('Write', { file_path: join(sandbox.project, 'a.txt'), content: 'a' }),
      text('written'),
    ]);

    const started = await server.call('claude_code', {
      prompt: 'write',
      cwd: sandbox.project,
      waitMs: 20_000,
    });

    expect(started.json).toMatchObject({ status: 'idle', result: { result: 'written' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
  });
});
