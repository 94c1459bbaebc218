import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from '../kit/approval-moves.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { toolResultText } from '../kit/tool-result.js';

/** An unpacked repository in which `git status` runs a program. Returns the trace of that. */
function unpack({ sandbox }: Scene): { readonly cwd: string; readonly trace: string } {
  const [cwd, trace] = [sandbox.project, join(sandbox.root, 'ran')];
  execFileSync('git', ['init'], { cwd, stdio: 'ignore' });
  execFileSync('git', ['config', 'core.fsmonitor', `touch ${trace}; false`], { cwd });
  return { cwd, trace };
}

const human = { CLAUDE_CODE_MCP_APPROVALS: 'human' };
const cli = { CLAUDE_CODE_MCP_BACKEND: 'cli' };

describe('in an unpacked repository whose settings run a program, git status waits for approval', () => {
  it.each([
    ['with human-only approvals on the agent-sdk backend', human, 'default'],
    ['with human-only approvals on the cli backend', { ...human, ...cli }, 'default'],
    ['in plan mode on the cli backend', cli, 'plan'],
  ])('%s', async (_where, env, permissionMode) => {
    const scene = await startScene({ era: 'modern', env });
    const { cwd, trace } = unpack(scene);
    scene.model.when('status', [tool('Bash', { command: 'git status' }), text('over')]);

    const { json } = await start(scene, { prompt: 'status', cwd, permissionMode });

    expect(json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Bash', input: { command: 'git status' } }],
    });
    expect(existsSync(trace)).toBe(false);
  });
});

describe('the cli backend with human-only approvals', () => {
  it('asks about calls that Claude Code itself would not ask about, but not about reading', async () => {
    const scene = await startScene({ era: 'modern', env: { ...human, ...cli } });
    const { project } = scene.sandbox;
    // Claude Code schedules nothing elsewhere.
    scene.sandbox.trustFolder(project);
    writeFileSync(join(project, 'r.txt'), 'HERON');
    execFileSync('git', ['init'], { cwd: project, stdio: 'ignore' });
    const calls = [
      tool('CronCreate', { cron: '0 0 1 1 *', prompt: 'hi', durable: true }),
      tool('EnterWorktree', { name: 'abc' }),
      tool('Write', { file_path: memoryOf(scene.sandbox), content: 'm' }),
      tool('Read', { file_path: join(scene.sandbox.configDir, '.claude.json') }),
    ];
    const reading = tool('Read', { file_path: join(project, 'r.txt') }, { id: 'toolu_reading' });
    scene.model.when('work', [reading, ...calls, text('over')]);

    let { json } = await start(scene, { prompt: 'work' });
    const [request] = scene.model.requests(json.sessionId).slice(-1);
    const asked = [json.actions?.[0]?.toolName];
    while (json.status === 'waiting' && asked.length < 6) {
      const requestId = json.actions?.[0]?.requestId;
      ({ json } = await scene.server.call('claude_code_respond', { requestId, decision: 'deny' }));
      asked.push(json.actions?.[0]?.toolName);
    }

    expect(request && toolResultText(request, 'toolu_reading')).toContain('HERON');
    expect(asked).toEqual(['CronCreate', 'EnterWorktree', 'Write', 'Read', undefined]);
    expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(existsSync(memoryOf(scene.sandbox))).toBe(false);
  });
});

describe('the cli backend', () => {
  it('passes on what a hook of the user asks, even about reading', async () => {
    const scene = await startScene({ era: 'modern', env: cli });
    const { project, configDir } = scene.sandbox;
    const file_path = join(project, 'r.txt');
    writeFileSync(file_path, 'HERON');
    const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } };
    const hook = { type: 'command', command: `echo '${JSON.stringify(output)}'` };
    const settings = { hooks: { PreToolUse: [{ matcher: 'Read', hooks: [hook] }] } };
    writeFileSync(join(configDir, 'settings.json'), JSON.stringify(settings));
    scene.model.when('read', [tool('Read', { file_path }), text('over')]);

    const { json } = await start(scene, { prompt: 'read' });

    expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Read', input: { file_path } }] });
  });
});

/** A file in the memory of Claude Code, which later sessions read. */
function memoryOf({ configDir, project }: Scene['sandbox']): string {
  return join(configDir, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'), 'memory', 'MEMORY.md');
}
