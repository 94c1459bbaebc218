import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';

async function startTouching({
  server,
  model,
  sandbox,
}: Scene): Promise<Awaited<ReturnType<typeof server.call>>> {
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

function toldAboutTouch({ model }: Scene, sessionId: string): string | undefined {
  const last = model.requests(sessionId).at(-1);
  return last && toolResultText(last, 'toolu_touch');
}

describe.each(['modern', 'legacy'] as const)('a person who is asked by a form, %s era', (era) => {
  it('allows a tool inside the call that waits', async () => {
    const scene = await startScene({ era, capabilities: formCapability });
    const { server, sandbox } = scene;
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const done = await startTouching(scene);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.', outcome: 'completed' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(person.forms).toMatchObject([
      {
        message: `Allow Claude Code to run \`touch a.txt\` in project?\nSession: "Make a file" ${done.json.sessionId.slice(0, 8)}, folder ${sandbox.project}\nTool: Bash\n> command: touch a.txt\nClaude says: "Make it"\nPath: ${join(sandbox.project, 'a.txt')}`,
        required: ['decision'],
      },
    ]);
  });

  it('allows a call for the session: it passes unasked the next time, and another is asked', async () => {
    const { server, model, sandbox } = await startScene({ era, capabilities: formCapability });
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
    const scene = await startScene({ era, capabilities: formCapability });
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
});
