import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessOptions, type InProcessScene } from '../kit/in-process.js';
import { until } from '../kit/until.js';

const dynamic = { CLAUDE_CODE_MCP_DYNAMIC_TOOLS: '1' } as const;

/** A scene whose client counts how often it hears that the tools have changed. */
async function listeningScene(options: InProcessOptions): Promise<InProcessScene & { changes(): number }> {
  const scene = await startInProcess(options);
  const { client } = scene.server;
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
  if (options.era === 'modern') await client.listen({ toolsListChanged: true });
  return { ...scene, changes: () => changes };
}

function start(
  { server, sandbox }: InProcessScene,
  options: Record<string, unknown> = {},
): ReturnType<InProcessScene['server']['call']> {
  return server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000, ...options });
}

async function descriptionOf({ server }: InProcessScene): Promise<string> {
  const { tools } = await server.client.listTools();
  return tools.find(({ name }) => name === 'claude_code')?.description ?? '';
}

describe.each(['modern', 'legacy'] as const)('the tools of Claude Code, %s era', (era) => {
  it('are named in the description of claude_code after the first start, which is told exactly once', async () => {
    const scene = await listeningScene({ era, env: dynamic });
    const before = await descriptionOf(scene);

    const narrow = await start(scene, { advanced: { tools: ['Read'] } });
    const silent = scene.changes();
    await start(scene);
    await until('the list has changed', () => scene.changes() > 0);
    const after = await descriptionOf(scene);
    await start(scene);
    // An answer that comes after a second notification would have come.
    await descriptionOf(scene);

    expect(narrow.json.status).toBe('idle');
    expect(silent).toBe(0);
    expect(before).not.toContain('Its tools:');
    expect(after).toMatch(/^Gives a task .* Its tools: .*\bBash\b.*\bRead\b/);
    expect(after).not.toContain('mcp__');
    expect(scene.changes()).toBe(1);
  });

  it('leave the description alone by default', async () => {
    const { server, ...rest } = await startInProcess({ era });
    const scene = { server, ...rest };
    const before = await descriptionOf(scene);

    await start(scene);

    expect(await descriptionOf(scene)).toBe(before);
    expect(server.client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    expect(server.stdout()).not.toContain('list_changed');
  });

  it('are listed in a snapshot on request', async () => {
    const scene = await startInProcess({ era });

    const { sessionId } = (await start(scene)).json;
    const { json } = await scene.server.call('claude_code_check', { sessionId, include: ['tools'] });

    expect(json.availableTools?.map(({ name }) => name)).toContain('Bash');
  });
});
