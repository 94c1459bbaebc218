import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

const names = ['packaged', 'by.command', 'through-node', 'through-env', 'of-agent', 'independent'] as const;
type Name = (typeof names)[number];

/** Servers of the user, and a repository that supplies the programs of most of them. */
function plant({ sandbox, model }: Scene) {
  const { root, project, configDir } = sandbox;
  const trace = (name: Name): string => join(root, `trace-${name}`);
  const put = (path: string, content: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
    return path;
  };
  for (const name of names)
    put(join(project, 'node_modules', '.bin', name), `#!/bin/sh\ntouch ${trace(name)}\n`);
  // These run programs of the folder as `npx` does, but faster.
  const npx = put(join(root, 'bin', 'npx'), '#!/bin/sh\nexec "node_modules/.bin/$1"\n');
  const npxCli = put(
    join(root, 'npm', 'npx-cli.js'),
    `require('node:child_process').spawnSync('node_modules/.bin/' + process.argv[2]);`,
  );
  const server = put(
    join(root, 'server.js'),
    `require('node:fs').writeFileSync('${trace('independent')}', '')`,
  );
  const mcpServers = {
    packaged: { command: 'sh', args: ['-c', 'node_modules/.bin/packaged'] },
    'by.command': { command: 'sh', args: ['-c', `touch ${trace('by.command')}`] },
    'through-node': { command: process.execPath, args: [npxCli, 'through-node'] },
    'through-env': { command: '/usr/bin/env', args: [npx, 'through-env'] },
    independent: { command: process.execPath, args: [server] },
  };
  writeFileSync(join(configDir, '.claude.json'), JSON.stringify({ mcpServers }));
  const ofAgent = JSON.stringify([{ inner: { command: npx, args: ['of-agent'] } }]);
  put(
    join(configDir, 'agents', 'helper.md'),
    `---\nname: helper\ndescription: helps\nmcpServers: ${ofAgent}\n---\nHelp.\n`,
  );
  model.when('delegate', [
    tool('Agent', { description: 'help', prompt: 'assist', subagent_type: 'helper' }),
    text('done'),
  ]);
  model.when('assist', [text('assisted')]);
  return {
    started: () => names.filter((name) => existsSync(trace(name))),
    trust: () => sandbox.trustFolder(project),
  };
}

it.each(['agent-sdk', 'cli'])(
  'servers of the user start no program that a folder supplies, until the user has trusted it (%s)',
  async (backend) => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });
    const { started, trust } = plant(scene);
    const start = () =>
      scene.server.call('claude_code', { prompt: 'delegate', cwd: scene.sandbox.project, waitMs: 20_000 });

    const untrusted = await start();
    await until('the independent server has started', () => started().includes('independent'));
    const before = started();
    // A live Claude Code could write over the file that says whom the user trusts.
    await scene.server.call('claude_code_session', {
      action: 'cancel',
      sessionId: untrusted.json.sessionId,
    });
    trust();
    const trusted = await start();
    await until('all servers have started', () => started().length === names.length);

    expect({ before, status: untrusted.json.status, hint: untrusted.json.projectSettings }).toEqual({
      before: ['independent'],
      status: 'idle',
      hint: expect.stringMatching(
        /^skipped: folder not trusted: MCP servers not started: packaged, by\.command, through-node, through-env /,
      ),
    });
    expect(trusted.json.projectSettings).toBeUndefined();
  },
);
