import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';
import type { Sandbox } from '../kit/sandbox.js';
import { until } from '../kit/until.js';
import { start } from './faults/fault-scene.js';

const secret = 'heron-in-the-reeds';
const advanced = {
  mcpServers: { far: { type: 'http', url: 'https://mcp.example.com/x', headers: { 'X-Bird': secret } } },
};

/** The files that live sessions read, by path. */
function launchFiles({ stateDir }: Sandbox): string[] {
  const folder = join(stateDir, 'launches');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((file) => file !== 'launch.json')
      .map((file) => join(folder, name, file)),
  );
}

describe.skipIf(process.platform !== 'linux').each(['agent-sdk', 'cli'])(
  'the headers of an MCP server with the %s backend',
  (backend) => {
    it('stand in a file for the user alone, and in no argument of any process', async () => {
      const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });
      const { server, sandbox } = scene;

      const { sessionId } = (await start(scene, { advanced })).json;
      const files = launchFiles(sandbox);
      const commands = sandbox.processes().map(({ command }) => command);
      await server.call('claude_code_session', { action: 'cancel', sessionId });

      expect(commands.filter((command) => command.includes('mcp-config'))).toHaveLength(1);
      expect(commands.filter((command) => command.includes(secret))).toEqual([]);
      expect(files).toHaveLength(1);
      expect(launchFiles(sandbox)).toEqual([]);
    });

    it('are removed by the next server when theirs was killed', async () => {
      const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });
      const { model, sandbox } = scene;
      const killed = await connectServer({
        era: 'modern',
        model,
        sandbox,
        env: { CLAUDE_CODE_MCP_BACKEND: backend },
      });
      await start({ ...scene, server: killed }, { advanced });
      const [left = ''] = launchFiles(sandbox);
      killed.kill('SIGKILL');
      await killed.exited;
      await until('its Claude Code has gone', () => sandbox.processes().length === 1);

      expect([statSync(left).mode & 0o777, readFileSync(left, 'utf8').includes(secret)]).toEqual([
        0o600,
        true,
      ]);
      await start(scene);

      await until('nothing is left', () => !existsSync(left));
    });
  },
);
