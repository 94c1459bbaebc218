import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { until } from '../kit/until.js';

/** Servers of the user, and a repository that supplies the program of the first one. */
function plant({ sandbox }: Scene) {
  const { root, project, configDir } = sandbox;
  const trace = (name: string): string => join(root, `trace-${name}`);
  const put = (path: string, name: string): string => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ntouch ${trace(name)}\n`, { mode: 0o755 });
    return path;
  };
  put(join(project, 'node_modules', '.bin', 'some-mcp'), 'packaged');
  const mcpServers = {
    // As `npx some-mcp` does, but faster.
    packaged: { command: 'sh', args: ['-c', 'node_modules/.bin/some-mcp'] },
    'by.command': { command: 'sh', args: ['-c', `touch ${trace('by.command')}`] },
    independent: { command: '/bin/sh', args: [put(join(root, 'server.sh'), 'independent')] },
  };
  writeFileSync(join(configDir, '.claude.json'), JSON.stringify({ mcpServers }));
  return {
    has: (name: keyof typeof mcpServers) => existsSync(trace(name)),
    trust: () => sandbox.trustFolder(project),
  };
}

it.each(['agent-sdk', 'cli'])(
  'servers of the user start no program that a folder supplies, until the user has trusted it (%s)',
  async (backend) => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });
    const { has, trust } = plant(scene);
    const start = () =>
      scene.server.call('claude_code', { prompt: 'hello', cwd: scene.sandbox.project, waitMs: 20_000 });

    const untrusted = await start();
    await until('the independent server has started', () => has('independent'));
    const started = (['packaged', 'by.command'] as const).filter(has);
    // A live Claude Code could write over the file that says whom the user trusts.
    await scene.server.call('claude_code_session', {
      action: 'cancel',
      sessionId: untrusted.json.sessionId,
    });
    trust();
    const trusted = await start();
    await until('the other servers have started', () => has('packaged') && has('by.command'));

    expect({ started, hint: untrusted.json.projectSettings }).toEqual({
      started: [],
      hint: expect.stringMatching(
        /^skipped: folder not trusted: MCP servers not started: packaged, by\.command /,
      ),
    });
    expect(trusted.json.projectSettings).toBeUndefined();
  },
);
