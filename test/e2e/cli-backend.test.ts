import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBundledClaude } from '../../src/backends/cli/find-claude.js';
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
function launchFolders({ root }: Sandbox): string[] {
  const folder = join(root, 'tmp');
  return readdirSync(folder)
    .filter((name) => name.startsWith('claude-code-mcp-'))
    .map((name) => join(folder, name));
}

function secretIn(folder: string): string {
  const file = join(folder, 'mcp.json');
  expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  const config = JSON.parse(readFileSync(file, 'utf8')) as {
    mcpServers: { perm: { env: { PERMISSION_TOKEN: string; PERMISSION_CALLBACK_PORT: string } } };
  };
  return config.mcpServers.perm.env.PERMISSION_TOKEN;
}

/** A folder with a `claude` in it. */
function installClaude({ root }: Sandbox): string {
  const folder = join(root, 'bin');
  mkdirSync(folder);
  symlinkSync(findBundledClaude() ?? '', join(folder, 'claude'));
  return folder;
}

describe('the cli backend', () => {
  it('keeps two sessions apart that ask at once, shows no token to anybody, and leaves no file', async () => {
    const scene = await startCli();
    const { server, model, sandbox } = scene;
    for (const name of ['one', 'two']) {
      model.when(`make ${name}`, [tool('Bash', { command: `touch ${name}.txt` }), text(`Made ${name}.`)]);
    }

    const asked = await Promise.all(['one', 'two'].map((name) => start(scene, { prompt: `make ${name}` })));
    const secrets = launchFolders(sandbox).map(secretIn);
    const commands = sandbox.processes().map(({ command }) => command);
    const [one, two] = asked.map(({ json }) => json.actions?.[0]?.requestId);
    const allowed = await server.call('claude_code_respond', { requestId: two, decision: 'allow' });
    const denied = await server.call('claude_code_respond', {
      requestId: one,
      decision: 'deny',
      message: 'Not this one.',
    });

    expect(asked.map(({ json }) => json.status)).toEqual(['waiting', 'waiting']);
    expect(secrets).toHaveLength(2);
    if (isLinux) expect(commands.filter((command) => command.includes('permission-server'))).toHaveLength(2);
    expect(commands.filter((command) => secrets.some((secret) => command.includes(secret)))).toEqual([]);
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

  it('refuses what it cannot do before anything is started', async () => {
    const scene = await startCli();
    const refused = [
      await start(scene, { advanced: { enableFileCheckpointing: true } }),
      await start(scene, { permissionMode: 'plan', allowedTools: ['Bash'] }),
      await start(scene, {
        advanced: { mcpServers: { perm: { type: 'http', url: 'https://example.com' } } },
      }),
    ];

    expect(refused.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Error \[INVALID_ARGUMENT\]: the cli backend .*enableFileCheckpointing/),
      expect.stringMatching(/^Error \[PERMISSION_DENIED\]: allowedTools .*in plan mode by the cli backend/),
      expect.stringMatching(/^Error \[INVALID_ARGUMENT\]: the cli backend .*"perm"/),
    ]);
    expect(launchFolders(scene.sandbox)).toEqual([]);
  });

  it('pre-allows nothing where only people approve', async () => {
    const scene = await startCli({
      CLAUDE_CODE_MCP_APPROVALS: 'human',
      CLAUDE_CODE_ALLOWED_TOOLS: 'Bash',
    });
    scene.model.when('touch', [tool('Bash', { command: 'touch c.txt' }), text('Never said.')]);

    const asked = await start(scene, { prompt: 'touch' });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
  });

  it.skipIf(!isLinux)('takes the first claude on the PATH, though not of a relative folder', async () => {
    const { sandbox: elsewhere } = await startBackstage();
    const folder = installClaude(elsewhere);
    const { server, sandbox } = await startCli({ PATH: `.:bin:${folder}:${process.env['PATH']}` });

    const started = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      waitMs: 20_000,
    });

    expect(started.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
    expect(sandbox.processes().map(({ command }) => command.split(' ')[0])).toContain(join(folder, 'claude'));
  });

  it.skipIf(!isLinux)('serves where the Agent SDK is not installed', async () => {
    const { sandbox: elsewhere } = await startBackstage();
    const dist = join(elsewhere.root, 'alone');
    cpSync(fileURLToPath(new URL('../../dist', import.meta.url)), dist, { recursive: true });
    const scene = await startScene({
      era: 'modern',
      entry: join(dist, 'claude-code-mcp.js'),
      args: ['--backend', 'cli'],
      env: { PATH: `${installClaude(elsewhere)}:${process.env['PATH']}` },
    });
    scene.model.when('touch', [tool('Bash', { command: 'touch d.txt' }), text('Touched.')]);

    const asked = await start(scene, { prompt: 'touch' });
    const done = await scene.server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Touched.' } });
  });
});
