import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage, startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

const advanced = { slashCommands: true };

describe.each(['agent-sdk', 'cli'])('with slashCommands, on the %s backend', (backend) => {
  const env = { CLAUDE_CODE_MCP_BACKEND: backend };

  it('a command of Claude Code that changes settings of the user has no effect, and one of the project has', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern', env });
    sandbox.trustFolder(sandbox.project);
    mkdirSync(join(sandbox.project, '.claude', 'commands'), { recursive: true });
    writeFileSync(join(sandbox.project, '.claude', 'commands', 'fix.md'), 'FIX-IT $ARGUMENTS');
    const { json } = await server.call('claude_code', {
      prompt: '/config permissionMode=acceptEdits',
      cwd: sandbox.project,
      waitMs: 20_000,
      advanced,
    });
    const reply = (prompt: string) =>
      server.call('claude_code_reply', { sessionId: json.sessionId, prompt, waitMs: 20_000 });

    await reply('/settings permissionMode=auto');
    await reply('/fix number 7');
    // Claude Code writes its settings a moment after the command.
    await server.close();

    const requests = model.requests(json.sessionId);
    expect(existsSync(join(sandbox.configDir, 'settings.json'))).toBe(false);
    expect(requests.map(({ promptText }) => promptText)).toEqual([
      '/config permissionMode=acceptEdits',
      '/settings permissionMode=auto',
      expect.stringContaining('FIX-IT number 7'),
    ]);
  });

  it('a command runs none of its shell lines in plan mode, which the model has entered', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern', env });
    sandbox.trustFolder(sandbox.project);
    mkdirSync(join(sandbox.project, '.claude', 'commands'), { recursive: true });
    const command = '---\nallowed-tools: Bash(touch:*)\n---\nFIX-IT !`touch a.txt`';
    writeFileSync(join(sandbox.project, '.claude', 'commands', 'fix.md'), command);
    model.when('think', [tool('EnterPlanMode', {}), text('Thinking.')]);
    const { json } = await server.call('claude_code', {
      prompt: 'think',
      cwd: sandbox.project,
      waitMs: 20_000,
      advanced,
    });

    const { sessionId } = json;
    await server.call('claude_code_reply', { sessionId, prompt: '/fix', waitMs: 20_000 });

    expect(model.requests(sessionId).at(-1)?.promptText).toBe('/fix');
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });

  it('a prompt reads no file outside the folders to which reading is limited', async () => {
    const { model, sandbox } = await startBackstage();
    const roots = { CLAUDE_CODE_MCP_ROOTS: sandbox.project };
    const server = await connectServer({ era: 'modern', model, sandbox, env: { ...env, ...roots } });
    onTestFinished(() => server.close());
    sandbox.trustFolder(sandbox.project);
    const secret = join(sandbox.root, 'secret.txt');
    writeFileSync(secret, 'SECRET-OUTSIDE');

    const { json } = await server.call('claude_code', {
      prompt: `explain @${secret}`,
      cwd: sandbox.project,
      waitMs: 20_000,
      advanced,
    });
    const { json: seen } = await server.call('claude_code_check', {
      sessionId: json.sessionId,
      include: ['events'],
      cursor: 0,
    });

    expect(json).toMatchObject({ status: 'idle', result: { isError: false } });
    expect(JSON.stringify(model.requests(json.sessionId)).includes('SECRET-OUTSIDE')).toBe(false);
    expect(JSON.stringify(seen.events)).toContain('sent as it is written');
  });
});
