import { describe, expect, it } from 'vitest';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { exists, start, touch, wants } from '../kit/approval-moves.js';

const nobody: ElicitResult = { action: 'cancel' };

describe('a client that can show forms', () => {
  const era = 'modern';

  // Claude Code takes the rules as one line and splits it at commas and spaces outside brackets.
  it('may only deny once a person has allowed something, and cannot hide a tool behind a harmless one', async () => {
    const scene = await startScene({ era, capabilities: formCapability });
    const { server } = scene;
    seatPerson(server, (_form, index) => (index === 0 ? accept({ decision: 'allow' }) : nobody));
    wants(scene, tool('Bash', touch));
    const hidden = await start(scene, { allowedTools: ['Read(x),Bash(touch *)'] });
    const requestsBefore = scene.model.requests().length;
    const answered = await start(scene);
    const { sessionId } = answered.json;
    wants(scene, tool('Bash', { command: 'touch b.txt' }));
    const asked = await server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });
    const [action] = asked.json.actions ?? [];
    const requestId = action?.requestId;
    const respond = (decision: string): ReturnType<typeof server.call> =>
      server.call('claude_code_respond', { requestId, decision });

    const allowed = await respond('allow');
    const granted = await respond('allow_for_session');
    const still = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    const denied = await respond('deny');

    expect(hidden.text).toMatch(/^Error \[INVALID_ARGUMENT\]: allowedTools/);
    expect(requestsBefore).toBe(0);
    expect(answered.json).toMatchObject({ status: 'idle', answered: [{ answeredBy: 'elicitation' }] });
    expect(action).toMatchObject({ accepts: ['deny'] });
    for (const { text } of [allowed, granted])
      expect(text).toMatch(
        /^Error \[PERMISSION_DENIED\]: a person has answered in this client or on the page, .*still open/s,
      );
    expect(still.json).toMatchObject({ status: 'waiting', actions: [{ requestId, accepts: ['deny'] }] });
    expect(denied.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect([exists(scene, 'a.txt'), exists(scene, 'b.txt')]).toEqual([true, false]);
  });
});

describe('a client that cannot show forms', () => {
  const era = 'modern';
  it('is the one who approves, in advance too', async () => {
    const scene = await startScene({ era });
    wants(scene, tool('Bash', touch));

    const preApproved = await start(scene, { allowedTools: ['Bash'] });

    expect(preApproved.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
  });
});
