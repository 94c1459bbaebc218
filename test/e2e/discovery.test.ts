import { expect, it } from 'vitest';
import { describeTools } from '../../src/core/claude/claude-tools.js';
import { startScene, type Scene, type SceneOptions } from '../kit/fixture.js';
import { until } from '../kit/until.js';

const dynamic = { CLAUDE_CODE_MCP_DYNAMIC_TOOLS: '1' } as const;

/** A scene whose client counts how often it hears that the tools have changed. */
async function listeningScene(options: SceneOptions): Promise<Scene & { changes(): number }> {
  const scene = await startScene(options);
  const { client } = scene.server;
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
  if (options.era === 'modern') await client.listen({ toolsListChanged: true });
  return { ...scene, changes: () => changes };
}

function start({ server, sandbox }: Scene): ReturnType<Scene['server']['call']> {
  return server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 });
}

async function descriptionOf({ server }: Scene): Promise<string> {
  const { tools } = await server.client.listTools();
  return tools.find(({ name }) => name === 'claude_code')?.description ?? '';
}

it('the tools of Claude Code are named in the description after the first start, which clients are told once', async () => {
  const scene = await listeningScene({ era: 'modern', env: dynamic });
  const before = await descriptionOf(scene);

  const { sessionId } = (await start(scene)).json;
  await until('the list has changed', () => scene.changes() > 0);
  const after = await descriptionOf(scene);
  const { json } = await scene.server.call('claude_code_check', { sessionId, include: ['tools'] });

  expect(before).not.toContain('Its tools:');
  expect(after).toMatch(/^Gives a task .* Its tools: .*\bBash\b.*\bRead\b/);
  expect(after).not.toContain('mcp__');
  expect(scene.changes()).toBe(1);
  expect(json.availableTools?.map(({ name }) => name)).toContain('Bash');
  // A new tool needs a line in the reference, and a verdict of the gate in docs/security.md.
  const known = new Set(describeTools([]).map(({ name }) => name));
  expect(json.availableTools?.filter(({ name }) => !known.has(name))).toEqual([]);
});
