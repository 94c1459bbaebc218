import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import type { Sandbox } from '../kit/sandbox.js';
import { until } from '../kit/until.js';
import { start } from './faults/fault-scene.js';

const isLinux = process.platform === 'linux';

function startCli(env: Record<string, string> = {}): Promise<Scene> {
  return startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: 'cli', ...env } });
}

/** Where each live session keeps what must not stand among its arguments. */
function launchFolders({ stateDir }: Sandbox): string[] {
  const folder = join(stateDir, 'launches');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** A folder with a `claude` in it. */
function installClaude({ root }: Sandbox): string {
  const folder = join(root, 'bin');
  mkdirSync(folder);
  symlinkSync(findBundledClaude() ?? '', join(folder, 'claude'));
  return folder;
}

describe('the cli backend', () => {
  it('keeps two sessions apart that ask at once, starts no other program, and leaves no file', async () => {
    const scene = await startCli();
    const { server, model, sandbox } = scene;
    for (const name of ['one', 'two']) {
      model.when(`make ${name}`, [tool('Bash', { command: `env > ${name}.txt` }), text(`Made ${name}.`)]);
    }

    const asked = await Promise.all(['one', 'two'].map((name) => start(scene, { prompt: `make ${name}` })));
    const commands = sandbox.processes().map(({ command }) => command);
    const [one, two] = asked.map(({ json }) => json.actions?.[0]?.requestId);
    const allowed = await server.call('claude_code_respond', { requestId: two, decision: 'allow' });
    const denied = await server.call('claude_code_respond', {
      requestId: one,
      decision: 'deny',
      message: 'Not this one.',
    });

    expect(asked.map(({ json }) => json.status)).toEqual(['waiting', 'waiting']);
    if (isLinux)
      expect(commands.filter((command) => command.includes('--permission-prompt-tool=stdio'))).toHaveLength(
        2,
      );
    expect(commands.filter((command) => command.includes('permission-server'))).toEqual([]);
    expect([allowed.json, denied.json]).toMatchObject([
      { sessionId: asked[1]?.json.sessionId, status: 'idle', result: { result: 'Made two.' } },
      { sessionId: asked[0]?.json.sessionId, status: 'idle', result: { result: 'Made one.' } },
    ]);
    expect(['one.txt', 'two.txt'].filter((name) => existsSync(join(sandbox.project, name)))).toEqual([
      'two.txt',
    ]);
    for (const { json } of asked) {
      await server.call('claude_code_session', { action: 'cancel', sessionId: json.sessionId });
    }
    expect(launchFolders(sandbox)).toEqual([]);
  });

  it('resumes in another process, with what was granted', async () => {
    const scene = await startCli({ CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '0' });
    const { server, model, sandbox } = scene;
    model.when('append', [tool('Bash', { command: 'touch a.txt' }), text('Appended.')]);
    const asked = await start(scene, { prompt: 'append' });
    const { sessionId, actions } = asked.json;
    await server.call('claude_code_respond', {
      requestId: actions?.[0]?.requestId,
      decision: 'allow_for_session',
    });
    await until('the process has closed', () => launchFolders(sandbox).length === 0);

    const again = await server.call('claude_code_reply', { sessionId, prompt: 'append', waitMs: 20_000 });

    expect(again.json).toMatchObject({ status: 'idle', result: { result: 'Appended.', turn: 2 } });
  });

  it('asks for a plan and goes on in the mode that was named', async () => {
    const scene = await startCli();
    const { server, model, sandbox } = scene;
    const file = join(sandbox.project, 'b.txt');
    model.when('plan', [
      tool('ExitPlanMode', {}),
      tool('Write', { file_path: file, content: 'b' }),
      text('Built.'),
    ]);

    const asked = await start(scene, { prompt: 'plan', permissionMode: 'plan' });
    const done = await server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
      nextMode: 'acceptEdits',
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ type: 'plan_review' }] });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Built.' } });
    expect(existsSync(file)).toBe(true);
  });

  it('asks before calls that affect other tools or later sessions, even if edits are accepted', async () => {
    const scene = await startCli();
    const { project, configDir } = scene.sandbox;
    scene.sandbox.trustFolder(project);
    const memory = join(configDir, 'projects', project.replaceAll(/[^a-zA-Z0-9]/g, '-'), 'memory', 'a.md');
    const files = [
      ...['.cursor/hooks.json', '.zed/tasks.json', 'opencode.json', 'node_modules/.bin/x'].map((name) =>
        join(project, name),
      ),
      memory,
    ];
    const calls = [
      ...files.map((file_path) => ({ toolName: 'Write', input: { file_path, content: '{}' } })),
      { toolName: 'CronCreate', input: { cron: '0 0 1 1 *', prompt: 'hello', durable: true } },
    ];
    scene.model.when('set up', [...calls.map(({ toolName, input }) => tool(toolName, input)), text('done')]);

    let { json } = await start(scene, { prompt: 'set up', permissionMode: 'acceptEdits' });
    for (const action of calls) {
      expect(json).toMatchObject({ status: 'waiting', actions: [action] });
      const requestId = json.actions?.[0]?.requestId;
      ({ json } = await scene.server.call('claude_code_respond', { requestId, decision: 'deny' }));
    }

    expect(json).toMatchObject({ status: 'idle', result: { result: 'done' } });
    expect(files.filter((file) => existsSync(file))).toEqual([]);
  });

  it.skipIf(!isLinux)('takes the first claude on the PATH, though not one of the repository', async () => {
    const { sandbox: elsewhere } = await startBackstage();
    const folder = installClaude(elsewhere);
    const repository = join(elsewhere.project, 'bin');
    mkdirSync(repository);
    writeFileSync(join(repository, 'claude'), `#!/bin/sh\ntouch '${elsewhere.root}/trapped'\n`, {
      mode: 0o755,
    });
    const { server, sandbox } = await startCli({
      PATH: `.:bin:${repository}:${folder}:${process.env['PATH']}`,
    });

    const started = await server.call('claude_code', {
      prompt: 'hello',
      cwd: elsewhere.project,
      waitMs: 20_000,
    });

    expect(started.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
    expect(sandbox.processes().map(({ command }) => command.split(' ')[0])).toContain(join(folder, 'claude'));
    expect(existsSync(join(elsewhere.root, 'trapped'))).toBe(false);
  });

  it('starts although an MCP server of the user never answers', async () => {
    const scene = await startCli();
    const { root, configDir } = scene.sandbox;
    const started = join(root, 'started');
    const script = join(root, 'silent.mjs');
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(process.argv[2], '');\nsetInterval(() => {}, 1000);`,
    );
    const mcpServers = { silent: { type: 'stdio', command: process.execPath, args: [script, started] } };
    writeFileSync(join(configDir, '.claude.json'), JSON.stringify({ mcpServers }));

    const { json } = await start(scene, { prompt: 'hello' });

    expect(json).toMatchObject({ status: 'idle' });
    expect(existsSync(started)).toBe(true);
  });
});
