import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';

describe.each(['modern', 'legacy'] as const)('a person who is asked by a form, %s era', (era) => {
  it('allows a tool inside the call that waits', async () => {
    const { server, model, sandbox } = await startScene({ era, capabilities: formCapability });
    model.when('touch it', [tool('Bash', { command: 'touch a.txt', description: 'Make it' }), text('Done.')]);
    const person = seatPerson(server.client, () => accept({ decision: 'allow' }));

    const done = await server.call('claude_code', {
      prompt: 'touch it',
      cwd: sandbox.project,
      title: 'Make a file',
      waitMs: 20_000,
    });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.', outcome: 'completed' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(person.forms).toMatchObject([
      {
        message: `Claude Code wants to use a tool, in session "Make a file" ${done.json.sessionId.slice(0, 8)}, folder ${sandbox.project}.\nTool: Bash\n> command: touch a.txt\nClaude says: "Make it"\nPath: ${join(sandbox.project, 'a.txt')}`,
        required: ['decision'],
      },
    ]);
  });
});
