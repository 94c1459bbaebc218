import { describe, expect, it } from 'vitest';
import { questions } from '../kit/questions.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

interface Asked {
  readonly sessionId: string;
  readonly requestId: string;
  readonly action: unknown;
}

async function ask({ server, model, sandbox }: Scene): Promise<Asked> {
  model.when('ask me', [tool('AskUserQuestion', { questions }), text('thanks')]);
  const { json } = await server.call('claude_code', {
    prompt: 'ask me',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const action = json.actions?.[0];
  return { sessionId: json.sessionId, requestId: action?.requestId ?? '', action };
}

function seenByModel({ model }: Scene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body)
    .replaceAll('\\"', '"')
    .replaceAll('\\\\"', '"');
}

describe('a question', () => {
  it('is shown with its options, and answered by text or number, with several choices and notes', async () => {
    const scene = await startScene({ era: 'legacy' });
    const { sessionId, requestId, action } = await ask(scene);

    const done = await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      answers: { 'Which DB?': { answer: 'Redis', notes: 'prefer v7' }, 1: ['Cache', 'Queue'] },
    });

    expect(action).toMatchObject({
      type: 'user_question',
      questions: [
        {
          question: 'Which DB?',
          options: ['Postgres', 'Redis'],
          descriptions: ['relational', 'in memory'],
          multiSelect: false,
        },
        {
          question: 'Which extras?',
          options: ['Cache', 'Queue'],
          descriptions: ['fast', 'later'],
          multiSelect: true,
        },
      ],
      accepts: ['allow', 'deny'],
      needs: ['answers'],
    });
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'thanks' } });
    expect(seenByModel(scene, sessionId)).toMatch(/Which DB\?.{1,4}=.{1,4}Redis.*prefer v7.*Cache, Queue/);
  });
});
