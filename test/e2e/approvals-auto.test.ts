import { describe, expect, it } from 'vitest';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { restart, startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { ask, exists, start, touch, wants } from '../kit/approval-moves.js';

const nobody: ElicitResult = { action: 'cancel' };

/** The person answers the first form, and is not there for the next one, which the caller is told of. */
async function askAfterPerson(
  scene: Scene,
  first: ElicitResult,
  delayMs?: number,
): Promise<ReturnType<typeof ask>> {
  wants(scene, tool('Bash', touch));
  seatPerson(scene.server, (_form, index) => (index === 0 ? first : nobody), delayMs);
  const answered = await start(scene);
  expect(answered.json).toMatchObject({ status: 'idle', answered: [{ answeredBy: 'elicitation' }] });
  return ask(scene, tool('Bash', { command: 'touch b.txt' }));
}

describe('a client that can show forms', () => {
  const era = 'modern';

  // Claude Code takes the rules as one line and splits it at commas and spaces outside brackets.
  it.each(['Read(x),Bash', 'Read(x) Bash', 'Read(x),Bash(touch *)'])(
    'cannot hide a tool behind a harmless one: %s',
    async (rule) => {
      const scene = await startScene({ era, capabilities: formCapability });
      seatPerson(scene.server, () => nobody, 0);
      wants(scene, tool('Bash', touch));

      const refused = await start(scene, { allowedTools: [rule] });

      expect(refused.text).toMatch(/^Error \[INVALID_ARGUMENT\]: allowedTools/);
      expect(scene.model.requests()).toEqual([]);
      expect(exists(scene, 'a.txt')).toBe(false);
    },
  );

  it('may only deny once a person has allowed something', async () => {
    const scene = await startScene({ era, capabilities: formCapability });
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
        /^Error \[PERMISSION_DENIED\]: a person has answered a form in this client, .*still open/s,
      ),
      expect.stringMatching(
        /^Error \[PERMISSION_DENIED\]: a person has answered a form in this client, .*still open/s,
      ),
    ]);
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId, accepts: ['deny'] }] });
    expect(denied.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([true, false]);
  });

  it('cannot hide a rule in a harmless one, for the next process', async () => {
    const before = await startScene({ era, capabilities: formCapability });
    seatPerson(before.server, () => nobody, 0);
    const { sessionId, requestId } = await ask(before, tool('Bash', { command: 'touch b.txt' }));
    const refused = await before.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      updatedPermissions: [
        { type: 'addRules', rules: [{ toolName: 'Read', ruleContent: 'x),Bash(touch *' }] },
      ],
    });
    const scene = await restart(before, { era, capabilities: formCapability });
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
});

describe('a client that cannot show forms', () => {
  const era = 'modern';
  it('is the one who approves, in advance too', async () => {
    const scene = await startScene({ era });
    wants(scene, tool('Bash', touch));

    const unasked = await start(scene, { allowedTools: ['Bash'] });

    expect(unasked.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
  });
});
