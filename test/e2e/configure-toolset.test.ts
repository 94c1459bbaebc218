import { describe, expect, it } from 'vitest';
import { restart, startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import type { ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';
import { exists, start, touch, wants } from '../kit/approval-moves.js';

const toolset = { CLAUDE_CODE_MCP_TOOLSETS: 'async,configure' } as const;
const bypassing = { permissionMode: 'bypassPermissions' } as const;
const allowed = expect.objectContaining({ allowBypass: true });
const refusal = /^Error \[PERMISSION_DENIED\]: callers may not use permissionMode "bypassPermissions"/;

function configure({ server }: Scene, action: string): Promise<ToolReply> {
  return server.call('claude_code_configure', { action });
}

async function bypassIsOff(scene: Scene): Promise<void> {
  const refused = await start(scene, bypassing);
  expect(refused.text).toMatch(refusal);
  expect((await configure(scene, 'get_config')).json).toMatchObject({ allowBypass: false });
}

async function bypassIsOn(scene: Scene): Promise<ToolReply> {
  wants(scene, tool('Bash', touch));
  const done = await start(scene, bypassing);
  expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over', isError: false } });
  expect(exists(scene, 'a.txt')).toBe(true);
  return done;
}

describe('bypassPermissions', () => {
  it('lets new sessions run without approval while it is enabled, and resumes them once it is enabled again', async () => {
    const before = await startScene({ era: 'modern', env: toolset });
    await bypassIsOff(before);
    expect((await configure(before, 'enable_bypass')).json).toEqual(allowed);
    const { sessionId } = (await bypassIsOn(before)).json;
    const log = before.server.stderr();
    const scene = await restart(before, { era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    wants(scene, tool('Bash', { command: 'touch b.txt' }));

    const resumed = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(log).toContain('"message":"bypass switched"');
    expect(resumed.json).toMatchObject({ status: 'idle', result: { result: 'over', turn: 2 } });
    expect(exists(scene, 'b.txt')).toBe(true);
  });

  it('ends in a live session when it is disabled, which then asks', async () => {
    const scene = await startScene({ era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    const { sessionId } = (await bypassIsOn(scene)).json;
    await configure(scene, 'disable_bypass');
    await bypassIsOff(scene);
    wants(scene, tool('Bash', { command: 'touch b.txt' }));

    const replied = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(replied.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(exists(scene, 'b.txt')).toBe(false);
  });

  it('does not overrule what must never run', async () => {
    const scene = await startScene({ era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    wants(scene, tool('Bash', touch, { id: 'toolu_touch' }));

    const done = await start(scene, { ...bypassing, disallowedTools: ['Bash(touch:*)'] });

    const last = scene.model.requests(done.json.sessionId).at(-1);
    expect(last && toolResultText(last, 'toolu_touch')).toContain('has been denied');
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});
