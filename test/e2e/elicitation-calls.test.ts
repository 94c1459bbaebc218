import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson, type ShownForm } from '../kit/person.js';

async function start(
  { server, sandbox }: Scene,
  prompt: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { json } = await server.call('claude_code', { prompt, cwd: sandbox.project, ...args });
  return json.sessionId;
}

/** The file that the form is about. */
function touched({ message }: ShownForm): string {
  return /touch (\w+)/.exec(message)?.[1] ?? '';
}

const answeredByPerson = [{ decision: 'allow', answeredBy: 'elicitation' }];

describe('every call that waits asks the person', () => {
  const ask = { era: 'modern', capabilities: formCapability } as const;

  it('claude_code_check of several, until all are done', async () => {
    const scene = await startScene(ask);
    const { server, model } = scene;
    model.when('make one', [tool('Bash', { command: 'touch one' }), text('made one')]);
    model.when('make two', [tool('Bash', { command: 'touch two' }), text('made two')]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));
    const sessionIds = await Promise.all([start(scene, 'make one'), start(scene, 'make two')]);

    const all = await server.call('claude_code_check', { sessionIds, waitFor: 'all', waitMs: 20_000 });

    expect(all.json.sessions).toMatchObject([
      { status: 'idle', answered: answeredByPerson, result: { result: 'made one' } },
      { status: 'idle', answered: answeredByPerson, result: { result: 'made two' } },
    ]);
    expect(person.forms.map(touched).toSorted()).toEqual(['one', 'two']);
  });
});
