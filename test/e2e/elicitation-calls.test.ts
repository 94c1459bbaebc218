import { readdirSync } from 'node:fs';
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

function files({ sandbox }: Scene): string[] {
  return readdirSync(sandbox.project).toSorted();
}

/** The file that the form is about. */
function touched({ message }: ShownForm): string {
  return /touch (\w+)/.exec(message)?.[1] ?? '';
}

const answeredByPerson = [{ decision: 'allow', answeredBy: 'elicitation' }];

describe.each(['modern', 'legacy'] as const)('every call that waits asks the person, %s era', (era) => {
  const ask = { era, capabilities: formCapability };

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

describe('twelve requests in one call that waits', () => {
  const names = 'abcdefghijkl'.split('');

  function scriptTwelve({ model }: Scene): void {
    model.when('make them', [
      ...names.map((name) => tool('Bash', { command: `touch ${name}` })),
      text('all made'),
    ]);
  }

  it('end in a snapshot after eight forms, and the session goes on, modern era', async () => {
    const scene = await startScene({ era: 'modern', capabilities: formCapability });
    const { server, sandbox } = scene;
    scriptTwelve(scene);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const asked = await server.call('claude_code', {
      prompt: 'make them',
      cwd: sandbox.project,
      waitMs: 30_000,
    });
    const formsInFirstCall = person.forms.length;
    const { sessionId } = asked.json;
    const done = await server.call('claude_code_check', { sessionId, waitMs: 30_000 });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ input: { command: 'touch i' } }] });
    expect(formsInFirstCall).toBe(8);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'all made' } });
    expect(person.forms.map(touched)).toEqual(names);
    expect(files(scene)).toEqual(names);
  });
});
