import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { settings } from '../../src/config/settings.js';
import { shared, startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { installPackage } from '../kit/installed-package.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';
import { start } from './faults/fault-scene.js';

describe.skipIf(process.platform === 'win32')('the package without its optional dependencies', () => {
  const installed = shared(async (atEnd) => {
    const root = mkdtempSync(join(tmpdir(), 'ccm-installed-'));
    atEnd(() => rm(root, { recursive: true }));
    return installPackage(root);
  });

  /** The installed server, with this beside the Node that runs it on the PATH. */
  async function startInstalled(setup: { claude: boolean; args?: readonly string[] }): Promise<Scene> {
    const { sandbox } = await startBackstage();
    const bin = join(sandbox.root, 'bin');
    mkdirSync(bin);
    if (setup.claude) symlinkSync(findBundledClaude() ?? '', join(bin, 'claude'));
    return startScene({
      era: 'modern',
      entry: join(installed(), 'node_modules', '.bin', 'mcp-server-claude-code'),
      args: setup.args ?? [],
      env: { PATH: setup.claude ? `${bin}:/usr/bin:/bin` : bin },
    });
  }

  it('is the only package, with two commands', () => {
    const modules = join(installed(), 'node_modules');

    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['mcp-server-claude-code']);
    expect(readdirSync(join(modules, '.bin'))).toEqual(['claude-code-mcp', 'mcp-server-claude-code']);
  });

  it('adds itself to clients as a package without optional dependencies', () => {
    const program = join(installed(), 'node_modules', '.bin', 'mcp-server-claude-code');

    const printed = execFileSync(process.execPath, [program, 'install', '--print'], { encoding: 'utf8' });

    expect(printed).toContain('"args": ["-y", "--omit=optional", "mcp-server-claude-code"]');
  });

  it('serves all toolsets with the claude on the PATH', async () => {
    const scene = await startInstalled({ claude: true, args: ['--toolsets', settings.toolsets.kind.shape] });
    const { server, model } = scene;
    model.when('touch', [tool('Bash', { command: 'touch d.txt' }), text('Touched.')]);

    const { tools } = await server.client.listTools();
    const asked = await start(scene, { prompt: 'touch' });
    const done = await server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['claude_code', 'claude_code_configure']),
    );
    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Touched.' } });
    expect(server.stderr()).toContain('the Agent SDK is not installed, so this server uses the cli backend');
  });

  it('says what to do when the operator insists on the Agent SDK', async () => {
    const scene = await startInstalled({ claude: true, args: ['--backend', 'agent-sdk'] });

    const refused = await start(scene);

    expect(refused).toMatchObject({
      isError: true,
      text: "Error [UNAVAILABLE]: the Claude Agent SDK is not installed with this server. Ask the operator to start this server with --backend cli, which needs only `claude` on the PATH, or to install the npm package @anthropic-ai/claude-agent-sdk in the server's folder.",
    });
  });

  it('says what to install when metrics are on', async () => {
    const { server } = await startInstalled({ claude: true, args: ['--metrics', ':0'] });

    const line = await until(
      'the log has it',
      () => /"metrics could not be started".*/.exec(server.stderr())?.[0],
    );

    expect(line).toContain('Run npm install prom-client@15 where claude-code-mcp is installed');
  });

  it('says what to do when there is no claude either', async () => {
    const scene = await startInstalled({ claude: false });

    const refused = await start(scene);

    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^Error \[UNAVAILABLE\]: `claude` was not found .* Install Claude Code, or ask the operator to set CLAUDE_CODE_PATH/,
      ),
    });
  });
});
