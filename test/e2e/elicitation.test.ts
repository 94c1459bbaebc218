import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';

describe.each(['modern', 'legacy'] as const)('a person who is asked by a form, %s era', (era) => {
  it('allows a tool inside the call that waits, denies one with a note, and allows one for the session', async () => {
    const { server, model, sandbox } = await startScene({ era, capabilities: formCapability });
    const command = { command: 'touch a.txt', description: 'Make it' };
    model.when('touch a', [tool('Bash', command), text('Done.')]);
    model.when('touch b', [tool('Bash', { command: 'touch b.txt' }, { id: 'toolu_b' }), text('Done.')]);
    // No rule of Claude Code covers a redirect: only the same call can pass again.
    model.when('append', [tool('Bash', { command: 'echo x >> c.txt' }), text('appended')]);
    model.when('other', [tool('Bash', { command: 'echo y >> c.txt' }), text('appended y')]);
    const answers = [
      { decision: 'allow' },
      { decision: 'deny', note: 'not on a Friday' },
      { decision: 'allow_for_session' },
      { decision: 'allow' },
    ];
    const person = seatPerson(server, (_form, index) => accept(answers[index] ?? {}));
    const waitMs = 20_000;

    const allowed = await server.call('claude_code', {
      prompt: 'touch a',
      cwd: sandbox.project,
      title: 'Make a file',
      waitMs,
    });
    const { sessionId } = allowed.json;
    const reply = (prompt: string) => server.call('claude_code_reply', { sessionId, prompt, waitMs });
    const denied = await reply('touch b');
    const last = model.requests(sessionId).at(-1);
    const first = await reply('append');
    const second = await reply('append');
    const formsForAppending = person.forms.length - 2;
    const other = await reply('other');

    expect(allowed.json).toMatchObject({ status: 'idle', result: { result: 'Done.', outcome: 'completed' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(person.forms[0]).toMatchObject({
      message: `Allow Claude Code to run \`touch a.txt\` in project?\nSession: "Make a file" ${sessionId.slice(0, 8)}, folder \`${sandbox.project}\`\nTool: Bash\n> command: touch a.txt\nClaude says: "Make it"\nPath: \`${join(sandbox.project, 'a.txt')}\``,
      required: ['decision'],
    });
    expect(denied.json).toMatchObject({
      status: 'idle',
      answered: [{ decision: 'deny', answeredBy: 'elicitation' }],
      result: { result: 'Done.', outcome: 'completed' },
    });
    expect(last && toolResultText(last, 'toolu_b')).toBe('A person denied this: not on a Friday');
    expect(existsSync(join(sandbox.project, 'b.txt'))).toBe(false);
    for (const { json } of [first, second])
      expect(json).toMatchObject({ status: 'idle', result: { result: 'appended' } });
    expect(formsForAppending).toBe(1);
    expect(other.json).toMatchObject({ status: 'idle', result: { result: 'appended y' } });
    expect(person.forms).toHaveLength(4);
    expect(readFileSync(join(sandbox.project, 'c.txt'), 'utf8')).toBe('x\nx\ny\n');
  });
});
