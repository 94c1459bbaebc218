import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { tool, type ScriptStep } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { exists, human, start, touch, wants, writePlan, writeUserSettings } from '../kit/approval-moves.js';

const bash = (): ScriptStep => tool('Bash', touch);
const write = ({ sandbox }: InProcessScene): ScriptStep =>
  tool('Write', { file_path: join(sandbox.project, 'a.txt'), content: 'a' });

describe('where only people approve', () => {
  it('a person is asked also in the mode that asks nobody', async () => {
    const scene = await startInProcess({ era: 'modern', env: human });
    writeUserSettings(scene, { permissions: { allow: ['Bash(touch *)'] } });
    wants(scene, bash());

    const asked = await start(scene, { permissionMode: 'dontAsk' });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ accepts: ['deny'] }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});

describe.each(['modern', 'legacy'] as const)('where only people approve, a person, %s era', (era) => {
  it('approves a plan, and then each edit of it', async () => {
    const scene = await startInProcess({ era, env: human, capabilities: formCapability });
    wants(scene, writePlan('# Plan\nWrite a file.'), tool('ExitPlanMode', {}), write(scene));
    const person = seatPerson(scene.server, ({ message }) =>
      accept({ decision: message.startsWith("Approve Claude Code's plan") ? 'approve' : 'allow' }),
    );

    const done = await start(scene, { permissionMode: 'plan' });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(person.forms.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Approve Claude Code's plan.*> plan:\n> \| # Plan\n> \| Write a file\./s),
      expect.stringMatching(/Tool: Write/),
    ]);
    expect(exists(scene, 'a.txt')).toBe(true);
  });

  it('refuses, and nothing runs', async () => {
    const scene = await startInProcess({ era, env: human, capabilities: formCapability });
    wants(scene, bash());
    seatPerson(scene.server, () => accept({ decision: 'deny', note: 'Not in my house.' }));

    const done = await start(scene);

    expect(done.json).toMatchObject({ status: 'idle', answered: [{ answeredBy: 'elicitation' }] });
    expect(exists(scene, 'a.txt')).toBe(false);
    expect(JSON.stringify(scene.model.requests(done.json.sessionId).at(-1)?.body)).toContain(
      'A person denied this: Not in my house.',
    );
  });

  it('leaves the caller with nothing but a no while nobody answers', async () => {
    const scene = await startInProcess({ era, env: human, capabilities: formCapability });
    wants(scene, bash());
    seatPerson(scene.server, () => ({ action: 'cancel' }), 0);

    const asked = await start(scene);
    const requestId = asked.json.actions?.[0]?.requestId;
    const allowed = await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });
    const denied = await scene.server.call('claude_code_respond', { requestId, decision: 'deny' });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ accepts: ['deny'] }] });
    expect(allowed.text).toMatch(/^Error \[PERMISSION_DENIED\]: only a person may approve/);
    expect(denied.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(false);
  });

  it('allows a call for the session: it passes next time, also in the next server, and no other does', async () => {
    const before = await startInProcess({ era, env: human, capabilities: formCapability });
    wants(before, tool('Bash', { command: 'echo x >> a.txt' }));
    const person = seatPerson(before.server, () => accept({ decision: 'allow_for_session' }));
    const { sessionId } = (await start(before)).json;
    const again = await before.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });
    const scene = await restartInProcess(before, { era, env: human });
    const next = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });
    wants(scene, tool('Bash', { command: 'echo y >> a.txt' }));

    const other = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(person.forms).toHaveLength(1);
    expect(again.json).toMatchObject({ status: 'idle', result: { result: 'over', turn: 2 } });
    expect(next.json).toMatchObject({ status: 'idle', result: { result: 'over', turn: 3 } });
    expect(other.json).toMatchObject({ status: 'waiting', actions: [{ accepts: ['deny'] }] });
  });
});
