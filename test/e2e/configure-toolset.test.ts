import { describe, expect, it } from 'vitest';
import { restart, startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import type { ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';
import { until } from '../kit/until.js';
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

describe('the configure toolset', () => {
  const era = 'modern';

  it('lets new sessions run unasked while it is enabled', async () => {
    const scene = await startScene({ era, env: toolset });

    await bypassIsOff(scene);
    expect((await configure(scene, 'enable_bypass')).json).toEqual(allowed);
    await bypassIsOn(scene);
    await configure(scene, 'disable_bypass');
    await bypassIsOff(scene);

    expect(scene.server.stderr()).toContain('"message":"bypass switched"');
  });
});

describe('bypassPermissions', () => {
  it('is for new sessions: one that has begun without it does not get it when its process is gone', async () => {
    const scene = await startScene({
      era: 'modern',
      env: { ...toolset, CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '0' },
    });
    wants(scene, text('hello'));
    const { sessionId } = (await start(scene)).json;
    await until(
      'no Claude Code is left',
      () => !scene.sandbox.processes().some(({ command }) => command.includes('stream-json')),
    );
    await configure(scene, 'enable_bypass');
    const refused = /^Error \[PERMISSION_DENIED\]: only new sessions can use bypassPermissions/;

    const configured = await scene.server.call('claude_code_session', {
      action: 'configure',
      sessionId,
      ...bypassing,
    });
    const replied = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      diskResumeConfig: bypassing,
    });

    expect(configured.text).toMatch(refused);
    expect(replied.text).toMatch(refused);
  });

  it('is resumed with it once it is enabled again', async () => {
    const before = await startScene({ era: 'modern', env: toolset });
    await configure(before, 'enable_bypass');
    const { sessionId } = (await bypassIsOn(before)).json;
    const scene = await restart(before, { era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    wants(scene, tool('Bash', { command: 'touch b.txt' }));

    const resumed = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(resumed.json).toMatchObject({ status: 'idle', result: { result: 'over', turn: 2 } });
    expect(exists(scene, 'b.txt')).toBe(true);
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
