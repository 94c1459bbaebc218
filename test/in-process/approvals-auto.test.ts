import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { tool } from '../kit/model-steps.js';
import { accept, formCapability, HUMAN_NO_MS, seatPerson } from '../kit/person.js';
import { any, ask, exists, start, touch, wants } from '../kit/approval-moves.js';

const nobody: ElicitResult = { action: 'cancel' };

/** The person answers the first form, and is not there for the next one, which the caller is told of. */
async function askAfterPerson(
  scene: InProcessScene,
  first: ElicitResult,
  delayMs?: number,
): Promise<ReturnType<typeof ask>> {
  wants(scene, tool('Bash', touch));
  seatPerson(scene.server, (_form, index) => (index === 0 ? first : nobody), delayMs);
  const answered = await start(scene);
  expect(answered.json).toMatchObject({ status: 'idle', answered: [{ answeredBy: 'elicitation' }] });
  return ask(scene, tool('Bash', { command: 'touch b.txt' }));
}

describe.each(['modern', 'legacy'] as const)('a client that can show forms, %s era', (era) => {
  it.each([['Bash'], ['Bash(touch *)'], ['Edit']])('cannot have %s run preApproved', async (rule) => {
    const scene = await startInProcess({ era, capabilities: formCapability });

    const refused = await start(scene, { allowedTools: ['Read', rule] });

    expect(refused.text).toContain(
      `Error [PERMISSION_DENIED]: allowedTools "${rule}" is not allowed: it would run without approval. Leave it out, so that the session asks for approval`,
    );
    expect(scene.model.requests()).toEqual([]);
  });

  // Claude Code takes the rules as one line and splits it at commas and spaces outside brackets.
  it.each(['Read(x),Bash', 'Read(x) Bash', 'Read(x),Bash(touch *)'])(
    'cannot hide a tool behind a harmless one: %s',
    async (rule) => {
      const scene = await startInProcess({ era, capabilities: formCapability });
      seatPerson(scene.server, () => nobody, HUMAN_NO_MS);
      wants(scene, tool('Bash', touch));

      const refused = await start(scene, { allowedTools: [rule] });

      expect(refused.text).toMatch(/^Error \[INVALID_ARGUMENT\]: allowedTools/);
      expect(scene.model.requests()).toEqual([]);
      expect(exists(scene, 'a.txt')).toBe(false);
    },
  );

  it('may pre-approve reading in its folders, but no edits, before a person has answered', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const file_path = join(scene.sandbox.root, 'outside.txt');
    writeFileSync(file_path, 'outside');
    wants(scene, tool('Read', { file_path }));
    seatPerson(scene.server, () => nobody, HUMAN_NO_MS);

    const inside = await start(scene, { prompt: 'look', allowedTools: ['Read', 'Read(src/**)'] });
    const outside = await start(scene, { allowedTools: ['Read(//**)'] });
    const editing = await start(scene, { permissionMode: 'acceptEdits' });
    const reading = await start(scene, { allowedTools: ['Read'] });

    expect(inside.json.status).toBe('idle');
    expect(outside.text).toContain("it reaches outside the session's folders");
    expect(editing.text).toContain('permissionMode "acceptEdits" is not allowed');
    expect(reading.json).toMatchObject({
      status: 'waiting',
      actions: [{ reason: "This path is outside the session's folders" }],
    });
  });

  it('may only deny once a person has allowed something', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { sessionId, requestId, action } = await askAfterPerson(scene, accept({ decision: 'allow' }));
    const respond = (answer: Record<string, unknown>): ReturnType<typeof scene.server.call> =>
      scene.server.call('claude_code_respond', { requestId, ...answer });

    const allowed = await respond({ decision: 'allow' });
    const granted = await respond({ decision: 'allow_for_session' });
    const still = await scene.server.call('claude_code_check', { sessionId, waitMs: 0 });
    const denied = await respond({ decision: 'deny' });

    expect(action).toMatchObject({ accepts: ['deny'] });
    expect([allowed.text, granted.text]).toEqual([
      expect.stringMatching(
        /^Error \[PERMISSION_DENIED\]: a person has answered in this client or on the page, .*still open/s,
      ),
      expect.stringMatching(
        /^Error \[PERMISSION_DENIED\]: a person has answered in this client or on the page, .*still open/s,
      ),
    ]);
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId, accepts: ['deny'] }] });
    expect(denied.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([true, false]);
  });

  it('may only deny once a person has said no', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { requestId } = await askAfterPerson(scene, { action: 'decline' }, HUMAN_NO_MS);

    const allowed = await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(allowed.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: a person has answered in this client or on the page/,
    );
    expect(exists(scene, 'b.txt')).toBe(false);
  });

  it.each(['acceptEdits', 'auto'])(
    'cannot start a session in %s once a person has answered',
    async (mode) => {
      const scene = await startInProcess({ era, capabilities: formCapability });
      wants(scene, tool('Bash', touch));
      seatPerson(scene.server, () => accept({ decision: 'allow' }));
      await start(scene);
      const count = scene.model.requests().length;

      const refused = await start(scene, { permissionMode: mode });
      const usual = await scene.server.call('claude_code', { prompt: 'hello', waitMs: 20_000 });

      expect(refused.text).toMatch(
        /^Error \[PERMISSION_DENIED\]: permissionMode ".*" is not allowed: it would run edits without approval/,
      );
      expect(usual.json).toMatchObject({ status: 'idle' });
      expect(scene.model.requests()).toHaveLength(count + 1);
    },
  );

  it('may approve after a person has answered where the operator lets any caller', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability, env: any });
    const { requestId, action } = await askAfterPerson(scene, accept({ decision: 'allow' }));

    const allowed = await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });
    const preApproved = await start(scene, { allowedTools: ['Bash'] });

    expect(action).toMatchObject({ accepts: ['allow', 'allow_for_session', 'deny'] });
    expect(allowed.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(preApproved.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'b.txt')).toBe(true);
  });

  it.each([
    ['cancels', nobody, ['allow', 'allow_for_session', 'deny']],
    ['declines', { action: 'decline' }, ['allow', 'allow_for_session', 'deny']],
    ['accepts', accept({ decision: 'allow' }), ['allow', 'deny']],
  ] as const)('goes on approving by itself when it %s every form at once', async (_how, answer, accepts) => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const person = seatPerson(scene.server, () => answer, 0);
    const respond = (requestId: string): ReturnType<typeof scene.server.call> =>
      scene.server.call('claude_code_respond', { requestId, decision: 'allow' });

    const first = await ask(scene, tool('Bash', touch));
    const wasWritten = exists(scene, 'a.txt');
    const afterFirst = await respond(first.requestId);
    const second = await ask(scene, tool('Bash', { command: 'touch b.txt' }));
    const afterSecond = await respond(second.requestId);

    expect(wasWritten).toBe(false);
    expect([first.action, second.action]).toMatchObject([{ accepts }, { accepts }]);
    expect([afterFirst.json.status, afterSecond.json.status]).toEqual(['idle', 'idle']);
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([true, true]);
    expect(person.forms).toHaveLength(2);
  });

  it('cannot allow a rule with an approval, and the request stays open', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => nobody, HUMAN_NO_MS);
    const { sessionId, requestId } = await ask(scene);

    const refused = await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash' }] }],
    });
    const still = await scene.server.call('claude_code_check', { sessionId, waitMs: 0 });

    expect(refused.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: updatedPermissions "Bash" is not allowed: it would run without approval/,
    );
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });

  it('cannot hide a rule in a harmless one, for the next process', async () => {
    const before = await startInProcess({ era, capabilities: formCapability });
    seatPerson(before.server, () => nobody, HUMAN_NO_MS);
    const { sessionId, requestId } = await ask(before, tool('Bash', { command: 'touch b.txt' }));
    const refused = await before.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      updatedPermissions: [
        { type: 'addRules', rules: [{ toolName: 'Read', ruleContent: 'x),Bash(touch *' }] },
      ],
    });
    const scene = await restartInProcess(before, { era, capabilities: formCapability });
    seatPerson(scene.server, () => nobody, 0);
    wants(scene, tool('Bash', touch));

    const asked = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      whenBusy: 'queue',
      waitMs: 20_000,
    });

    expect(refused.text).toMatch(/^Error \[INVALID_ARGUMENT\]: updatedPermissions/);
    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ input: touch }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });

  it('is taken for one that cannot where the operator has turned forms off', async () => {
    const scene = await startInProcess({
      era,
      capabilities: formCapability,
      env: { CLAUDE_CODE_MCP_ELICITATION: 'off' },
    });
    wants(scene, tool('Bash', touch));
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));

    const asked = await start(scene);
    const preApproved = await start(scene, { allowedTools: ['Bash'] });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(preApproved.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
    expect(person.forms).toEqual([]);
  });
});

describe.each(['modern', 'legacy'] as const)('a client that cannot show forms, %s era', (era) => {
  it('is the one who approves, in advance too', async () => {
    const scene = await startInProcess({ era });
    wants(scene, tool('Bash', touch));

    const preApproved = await start(scene, { allowedTools: ['Bash'] });

    expect(preApproved.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
  });

  it('allows in advance only what the operator lists', async () => {
    const scene = await startInProcess({ era, env: { CLAUDE_CODE_MCP_PREALLOW: 'Bash(touch *), Edit' } });
    wants(scene, tool('Bash', touch));

    const refused = await start(scene, { allowedTools: ['Bash'] });
    const listed = await start(scene, { allowedTools: ['Bash(touch *)', 'Edit(src/**)', 'Grep'] });

    expect(refused.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: allowedTools "Bash" .*CLAUDE_CODE_MCP_PREALLOW/,
    );
    expect(listed.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
  });
});

describe('a server inside a session of another', () => {
  const env = { ...any, CLAUDE_CODE_MCP_DEPTH: '1.some-launch', CLAUDE_CODE_MCP_MAX_DEPTH: '1' };

  it('lets only people approve, whatever it was told', async () => {
    const scene = await startInProcess({ era: 'modern', env });
    const { requestId, action } = await ask(scene);

    const allowed = await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });
    const inAdvance = await start(scene, { allowedTools: ['Bash'] });
    const editing = await start(scene, { permissionMode: 'acceptEdits' });

    expect(action).toMatchObject({ accepts: ['deny'] });
    expect([allowed.text, inAdvance.text, editing.text]).toEqual([
      expect.stringMatching(/^Error \[PERMISSION_DENIED\]: only a person may approve/),
      expect.stringMatching(/^Error \[PERMISSION_DENIED\]: allowedTools/),
      expect.stringMatching(/^Error \[PERMISSION_DENIED\]: permissionMode/),
    ]);
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});
