import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shareScene, startBackstage } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';

function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

/** A trusted repository whose user denies, in its local settings, one command and one file. */
function writeDenied(project: string): string {
  const rules = { deny: ['Bash(touch denied.txt)', 'Read(/secret.txt)'], ask: ['Bash(ls)'] };
  put(join(project, '.claude', 'settings.local.json'), { permissions: rules });
  writeFileSync(join(project, 'secret.txt'), 'OSPREY');
  return join(project, 'secret.txt');
}

describe('rules of the user that deny or ask', () => {
  const share = shareScene({ era: 'modern' });

  it.each([
    ['without settings of the folder', { settingSources: ['user'] }],
    ['beside an untrusted folder', { additionalDirectories: ['extra'] }],
  ])('apply in a trusted folder that a caller opens %s', async (label, { ...advanced }) => {
    const { server, model, sandbox } = share();
    const secret = writeDenied(sandbox.project);
    sandbox.trustFolder(sandbox.project);
    const extra = join(sandbox.root, 'extra');
    mkdirSync(extra, { recursive: true });
    model.when(label, [
      tool('Bash', { command: 'touch denied.txt' }, { id: 'toolu_touch' }),
      tool('Read', { file_path: secret }, { id: 'toolu_read' }),
      tool('Bash', { command: 'ls' }),
      text('over'),
    ]);

    const { json } = await server.call('claude_code', {
      prompt: label,
      cwd: sandbox.project,
      allowedTools: ['Bash', 'Read'],
      advanced: 'additionalDirectories' in advanced ? { additionalDirectories: [extra] } : advanced,
      waitMs: 20_000,
    });

    const [request] = model.requests(json.sessionId).slice(-1);
    const results = ['toolu_touch', 'toolu_read'].map((id) => request && toolResultText(request, id));
    expect(results).toEqual([expect.stringMatching(/denied/), expect.stringMatching(/denied/)]);
    expect(json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Bash', input: { command: 'ls' } }],
    });
    expect(existsSync(join(sandbox.project, 'denied.txt'))).toBe(false);
  });

  it('apply in a linked worktree, from the repository it belongs to', async () => {
    const { server, model, sandbox } = share();
    const [main, worktree] = [join(sandbox.root, 'main'), join(sandbox.root, 'tree')];
    mkdirSync(main);
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    for (const args of [['init'], ['commit', '--allow-empty', '-m', 'a'], ['worktree', 'add', worktree]])
      execFileSync('git', [...identity, ...args], { cwd: main, stdio: 'ignore' });
    writeDenied(main);
    const command = 'touch denied.txt';
    model.when('in the worktree', [tool('Bash', { command }, { id: 'toolu_touch' }), text('over')]);

    const { json } = await server.call('claude_code', {
      prompt: 'in the worktree',
      cwd: worktree,
      allowedTools: ['Bash'],
      waitMs: 20_000,
    });

    expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    const [request] = model.requests(json.sessionId).slice(-1);
    expect(request && toolResultText(request, 'toolu_touch')).toMatch(/denied/);
    expect(existsSync(join(worktree, 'denied.txt'))).toBe(false);
  });
});

describe('an allow rule of a project', () => {
  it('applies where the operator trusts the folder, except in plan mode', async () => {
    const { model, sandbox } = await startBackstage();
    const env = { CLAUDE_CODE_MCP_TRUSTED_ROOTS: sandbox.project };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());
    const rules = { allow: ['Bash(touch *)', 'Edit(/w.txt)'] };
    put(join(sandbox.project, '.claude', 'settings.json'), { permissions: rules });
    const files = ['a.txt', 'w.txt'].map((name) => join(sandbox.project, name));
    model.when('work', [
      tool('Bash', { command: 'touch a.txt' }),
      tool('Write', { file_path: files[1] ?? '', content: 'w' }),
      text('over'),
    ]);
    const call = { prompt: 'work', cwd: sandbox.project, waitMs: 20_000 };

    const planned = await server.call('claude_code', { ...call, permissionMode: 'plan' });
    const before = files.filter((file) => existsSync(file));
    const done = await server.call('claude_code', call);

    expect(planned.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(before).toEqual([]);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(files.filter((file) => existsSync(file))).toEqual(files);
  });
});
