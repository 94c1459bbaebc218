import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, HUMAN_NO_MS, seatPerson, settledInputs } from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';

async function startTouching({
  server,
  model,
  sandbox,
}: InProcessScene): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('touch it', [
    tool('Bash', { command: 'touch a.txt', description: 'Make it' }, { id: 'toolu_touch' }),
    text('Done.'),
  ]);
  return server.call('claude_code', {
    prompt: 'touch it',
    cwd: sandbox.project,
    title: 'Make a file',
    waitMs: 20_000,
  });
}

function toldAboutTouch({ model }: InProcessScene, sessionId: string): string | undefined {
  const last = model.requests(sessionId).at(-1);
  return last && toolResultText(last, 'toolu_touch');
}

async function eventsOf({ server }: InProcessScene, sessionId: string): Promise<unknown> {
  const { json } = await server.call('claude_code_check', {
    sessionId,
    cursor: 0,
    include: ['events'],
    waitMs: 0,
  });
  return json.events;
}

describe.each(['modern', 'legacy'] as const)('a person who is asked by a form, %s era', (era) => {
  it('allows a tool inside the call that waits', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server, sandbox } = scene;
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const done = await startTouching(scene);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.', outcome: 'completed' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(person.forms).toMatchObject([
      {
        message: `Allow Claude Code to run \`touch a.txt\` in project?\nSession: "Make a file" ${done.json.sessionId.slice(0, 8)}, folder \`${sandbox.project}\`\nTool: Bash\n> command: touch a.txt\nClaude says: "Make it"\nPath: \`${join(sandbox.project, 'a.txt')}\``,
        required: ['decision'],
      },
    ]);
  });

  it('is asked by an older client too, which does not say what kind of form it can show', async () => {
    const scene = await startInProcess({ era, capabilities: { elicitation: {} } });
    const person = seatPerson(scene.server, () => accept({ decision: 'allow' }));

    const done = await startTouching(scene);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(person.forms).toHaveLength(1);
  });

  it('is named as the one who decided, to the caller, in the events and in the audit', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => accept({ decision: 'allow' }));

    const done = await startTouching(scene);
    const { sessionId } = done.json;
    const events = await eventsOf(scene, sessionId);

    const [settled] = settledInputs(scene.server);
    const requestId = settled?.requestId;
    expect(settled).toMatchObject({
      sessionId,
      toolName: 'Bash',
      decision: 'allow',
      answeredBy: 'elicitation',
    });
    expect(done.json).toMatchObject({
      answered: [{ requestId, decision: 'allow', answeredBy: 'elicitation' }],
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'input_resolved', requestId, answeredBy: 'elicitation' }),
    );
  });

  it('allows a call for the session: the next time it passes without a request, and another call does not', async () => {
    const { server, model, sandbox } = await startInProcess({ era, capabilities: formCapability });
    // No rule of Claude Code covers a redirect: only the same call can pass again.
    model.when('append', [tool('Bash', { command: 'echo x >> a.txt' }), text('appended')]);
    model.when('other', [tool('Bash', { command: 'echo y >> a.txt' }), text('appended y')]);
    const person = seatPerson(server, (_form, index) =>
      accept({ decision: index === 0 ? 'allow_for_session' : 'allow' }),
    );

    const first = await server.call('claude_code', {
      prompt: 'append',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId } = first.json;
    const second = await server.call('claude_code_reply', { sessionId, prompt: 'append', waitMs: 20_000 });
    const formsForAppending = person.forms.length;
    const other = await server.call('claude_code_reply', { sessionId, prompt: 'other', waitMs: 20_000 });

    expect(second.json).toMatchObject({ status: 'idle', result: { result: 'appended', turn: 2 } });
    expect(formsForAppending).toBe(1);
    expect(other.json).toMatchObject({ status: 'idle', result: { result: 'appended y' } });
    expect(person.forms).toHaveLength(2);
    expect(readFileSync(join(sandbox.project, 'a.txt'), 'utf8')).toBe('x\nx\ny\n');
  });

  it('denies in the form, and the model is told the note', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => accept({ decision: 'deny', note: 'not on a Friday' }));

    const done = await startTouching(scene);

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: [{ decision: 'deny', answeredBy: 'elicitation' }],
      result: { result: 'Done.', outcome: 'completed' },
    });
    expect(toldAboutTouch(scene, done.json.sessionId)).toBe('A person denied this: not on a Friday');
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });

  it('denies by declining the form', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => ({ action: 'decline' }), HUMAN_NO_MS);

    const done = await startTouching(scene);
    const events = await eventsOf(scene, done.json.sessionId);

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: [{ decision: 'deny', answeredBy: 'elicitation' }],
      result: { result: 'Done.', outcome: 'completed' },
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'input_resolved', decision: 'deny', answeredBy: 'elicitation' }),
    );
    expect(settledInputs(scene.server)).toMatchObject([{ decision: 'deny', answeredBy: 'elicitation' }]);
    expect(toldAboutTouch(scene, done.json.sessionId)).toBe('A person denied this.');
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });

  it('is the only one who may approve from then on; the caller may still deny', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server, model } = scene;
    model.when('write', [tool('Bash', { command: 'touch b.txt' }), text('over')]);
    seatPerson(server, (_form, index) =>
      index === 0 ? accept({ decision: 'allow' }) : { action: 'cancel' },
    );

    const { sessionId } = (await startTouching(scene)).json;
    const asked = await server.call('claude_code_reply', { sessionId, prompt: 'write', waitMs: 20_000 });
    const requestId = asked.json.actions?.[0]?.requestId;
    const allowed = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const denied = await server.call('claude_code_respond', { requestId, decision: 'deny' });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ accepts: ['deny'] }] });
    expect(allowed.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: a person has answered in this client or on the page/,
    );
    expect(denied.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(existsSync(join(scene.sandbox.project, 'b.txt'))).toBe(false);
  });

  it('finds the request still open after an answer that is none of those offered', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server } = scene;
    seatPerson(server, () => accept({ decision: 'perhaps' }));

    const asked = await startTouching(scene);
    const done = await server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(settledInputs(server)).toMatchObject([{ decision: 'allow', answeredBy: 'caller' }]);
  });
});
