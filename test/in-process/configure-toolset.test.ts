import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { createGate } from '../kit/gate.js';
import { gate, tool } from '../kit/model-steps.js';
import { accept, formCapability, HUMAN_NO_MS, seatPerson } from '../kit/person.js';
import type { ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';
import { until } from '../kit/until.js';
import { any, exists, human, start, touch, wants } from '../kit/approval-moves.js';

const toolset = { CLAUDE_CODE_MCP_TOOLSETS: 'async,configure' } as const;
const bypassing = { permissionMode: 'bypassPermissions' } as const;
const allowed = expect.objectContaining({ allowBypass: true });
const refusal = /^Error \[PERMISSION_DENIED\]: callers may not use permissionMode "bypassPermissions"/;

function configure({ server }: InProcessScene, action: string): Promise<ToolReply> {
  return server.call('claude_code_configure', { action });
}

async function bypassIsOff(scene: InProcessScene): Promise<void> {
  const refused = await start(scene, bypassing);
  expect(refused.text).toMatch(refusal);
  expect((await configure(scene, 'get_config')).json).toMatchObject({ allowBypass: false });
}

async function bypassIsOn(scene: InProcessScene): Promise<ToolReply> {
  wants(scene, tool('Bash', touch));
  const done = await start(scene, bypassing);
  expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over', isError: false } });
  expect(exists(scene, 'a.txt')).toBe(true);
  return done;
}

describe.each(['modern', 'legacy'] as const)('the configure toolset, %s era', (era) => {
  it('is served only when the operator has chosen it', async () => {
    const without = await startInProcess({ era });
    const scene = await startInProcess({ era, args: ['--toolsets', 'configure,async'] });

    const names = async ({ server }: InProcessScene): Promise<string[]> =>
      (await server.client.listTools()).tools.map(({ name }) => name);

    expect(await names(without)).not.toContain('claude_code_configure');
    expect((await names(scene)).slice(-2)).toEqual(['claude_code_session', 'claude_code_configure']);
  });

  it('lets new sessions run without approval while it is enabled', async () => {
    const scene = await startInProcess({ era, env: toolset });

    await bypassIsOff(scene);
    expect((await configure(scene, 'enable_bypass')).json).toEqual(allowed);
    await bypassIsOn(scene);
    await configure(scene, 'disable_bypass');
    await bypassIsOff(scene);

    expect(scene.server.stderr()).toContain('"message":"bypass switched"');
  });

  it('asks the person where there is a form for it, who says yes', async () => {
    const scene = await startInProcess({ era, env: toolset, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'allow' }));

    expect((await configure(scene, 'enable_bypass')).json).toEqual(allowed);
    await bypassIsOn(scene);

    expect(person.forms).toMatchObject([
      { message: expect.stringContaining('bypassPermissions'), required: ['decision'] },
    ]);
  });

  it.each([
    ['says no', () => accept({ decision: 'deny' }), undefined],
    ['declines', () => ({ action: 'decline' }) as const, HUMAN_NO_MS],
    ['is not there', () => ({ action: 'cancel' }) as const, undefined],
  ])('asks the person where there is a form for it, who %s', async (_what, answer, delayMs) => {
    const scene = await startInProcess({ era, env: toolset, capabilities: formCapability });
    seatPerson(scene.server, answer, delayMs);

    expect((await configure(scene, 'enable_bypass')).json).toMatchObject({ allowBypass: false });
    await bypassIsOff(scene);
  });

  it('needs a person where only people approve', async () => {
    const alone = await startInProcess({ era, env: { ...toolset, ...human } });
    const scene = await startInProcess({
      era,
      env: { ...toolset, ...human },
      capabilities: formCapability,
    });
    seatPerson(scene.server, (_form, index) =>
      index === 0 ? { action: 'cancel' } : accept({ decision: 'allow' }),
    );

    expect((await configure(alone, 'enable_bypass')).text).toMatch(
      /^Error \[PERMISSION_DENIED\]: only a person/,
    );
    await bypassIsOff(alone);
    expect((await configure(scene, 'enable_bypass')).text).toMatch(
      /^Error \[PERMISSION_DENIED\]: only a person/,
    );
    await bypassIsOff(scene);
    expect((await configure(scene, 'enable_bypass')).json).toEqual(allowed);
    await bypassIsOn(scene);
  });
});

describe('bypassPermissions', () => {
  it('needs no switch where callers are fully trusted', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });

    await bypassIsOn(scene);
  });

  it('is refused to trusted callers too where only people approve', async () => {
    const scene = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full', ...human },
    });

    expect((await start(scene, bypassing)).text).toMatch(refusal);
  });

  it('is off again in the next server, where its sessions ask', async () => {
    const before = await startInProcess({ era: 'modern', env: { ...toolset, ...any } });
    await configure(before, 'enable_bypass');
    const { sessionId } = (await bypassIsOn(before)).json;
    const scene = await restartInProcess(before, { era: 'modern', env: toolset });
    wants(scene, tool('Bash', { command: 'touch b.txt' }));
    const reply = { sessionId, prompt: 'do it', waitMs: 20_000 };

    const forked = await scene.server.call('claude_code_reply', { ...reply, forkSession: true });
    const resumed = await scene.server.call('claude_code_reply', reply);
    const refused = await scene.server.call('claude_code_reply', {
      ...reply,
      forkSession: true,
      diskResumeConfig: { permissionMode: 'bypassPermissions' },
    });

    const asking = { status: 'waiting', actions: [{ toolName: 'Bash' }], notRestored: ['permissionMode'] };
    expect([forked.json, resumed.json]).toMatchObject([asking, asking]);
    expect(refused.text).toMatch(refusal);
    expect(exists(scene, 'b.txt')).toBe(false);
  });

  it('is resumed with it once it is enabled again', async () => {
    const before = await startInProcess({ era: 'modern', env: toolset });
    await configure(before, 'enable_bypass');
    const { sessionId } = (await bypassIsOn(before)).json;
    const scene = await restartInProcess(before, { era: 'modern', env: toolset });
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

  it('ends in an idle session whose process lives, as soon as it is disabled', async () => {
    const scene = await startInProcess({ era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    const { sessionId } = (await bypassIsOn(scene)).json;
    await configure(scene, 'disable_bypass');
    wants(scene, tool('Bash', { command: 'touch b.txt' }));

    const replied = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(scene.world.launches).toHaveLength(1);
    expect(replied.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(exists(scene, 'b.txt')).toBe(false);
  });

  it('ends in a running turn after 30 minutes', async () => {
    const scene = await startInProcess({ era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    const held = createGate();
    wants(
      scene,
      tool('Bash', { command: 'touch b.txt' }),
      gate(held, tool('Bash', { command: 'touch c.txt' })),
    );
    const { json } = await start(scene, { ...bypassing, waitMs: 0 });
    await held.reached;

    await scene.clock.pass(30 * 60_000);
    await until('the mode has changed', async () => {
      const { text: shown } = await scene.server.call('claude_code_session', {
        action: 'get',
        sessionId: json.sessionId,
      });
      return shown.includes('"permissionMode":"default"');
    });
    held.open();
    const asked = await scene.server.call('claude_code_check', {
      sessionId: json.sessionId,
      waitMs: 20_000,
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ input: { command: 'touch c.txt' } }] });
    expect([exists(scene, 'b.txt'), exists(scene, 'c.txt')]).toEqual([true, false]);
  });

  it('lasts as long as the newest consent', async () => {
    const scene = await startInProcess({ era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    const held = createGate();
    wants(scene, gate(held, tool('Bash', { command: 'touch b.txt' })));
    const { json } = await start(scene, { ...bypassing, waitMs: 0 });
    await held.reached;

    scene.clock.advance(20 * 60_000);
    await configure(scene, 'enable_bypass');
    scene.clock.advance(20 * 60_000);
    held.open();
    const done = await scene.server.call('claude_code_check', { sessionId: json.sessionId, waitMs: 20_000 });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'b.txt')).toBe(true);
  });

  it('stays where callers are fully trusted, whatever is disabled', async () => {
    const env = { ...toolset, CLAUDE_CODE_MCP_CALLER_TRUST: 'full' };
    const scene = await startInProcess({ era: 'modern', env });
    const { sessionId } = (await bypassIsOn(scene)).json;
    await configure(scene, 'disable_bypass');
    wants(scene, tool('Bash', { command: 'touch b.txt' }));

    const done = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });

    expect(done.json).toMatchObject({ status: 'idle' });
    expect(exists(scene, 'b.txt')).toBe(true);
  });

  it('does not overrule what must never run', async () => {
    const scene = await startInProcess({ era: 'modern', env: toolset });
    await configure(scene, 'enable_bypass');
    wants(scene, tool('Bash', touch, { id: 'toolu_touch' }));

    const done = await start(scene, { ...bypassing, disallowedTools: ['Bash(touch:*)'] });

    const last = scene.model.requests(done.json.sessionId).at(-1);
    expect(last && toolResultText(last, 'toolu_touch')).toContain('has been denied');
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});
