import { describe, expect, it } from 'vitest';
import { questions } from '../kit/questions.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';

interface Asked {
  readonly sessionId: string;
  readonly requestId: string;
  readonly action: unknown;
}

async function ask({ server, model, sandbox }: InProcessScene): Promise<Asked> {
  model.when('ask me', [tool('AskUserQuestion', { questions }), text('thanks')]);
  const { json } = await server.call('claude_code', {
    prompt: 'ask me',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const action = json.actions?.[0];
  return { sessionId: json.sessionId, requestId: action?.requestId ?? '', action };
}

function seenByModel({ model }: InProcessScene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body)
    .replaceAll('\\"', '"')
    .replaceAll('\\\\"', '"');
}

describe.each(['modern', 'legacy'] as const)('a question, %s era', (era) => {
  it('is shown with its options, and answered by text or number, with several choices and notes', async () => {
    const scene = await startInProcess({ era });
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

  it('is answered by its header too', async () => {
    const scene = await startInProcess({ era });
    const { sessionId, requestId } = await ask(scene);

    await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      answers: { DB: 'Redis' },
    });

    expect(seenByModel(scene, sessionId)).toMatch(/Which DB\?.{1,4}=.{1,4}Redis/);
  });

  it('takes free text, and only some of the answers', async () => {
    const scene = await startInProcess({ era });
    const { sessionId, requestId } = await ask(scene);

    await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      answers: { 'Which DB?': 'whatever you like' },
    });

    expect(seenByModel(scene, sessionId)).toContain('whatever you like');
  });

  it('stays open after an answer that does not fit', async () => {
    const scene = await startInProcess({ era });
    const { sessionId, requestId } = await ask(scene);
    const respond = (args: Record<string, unknown>): ReturnType<typeof scene.server.call> =>
      scene.server.call('claude_code_respond', { requestId, ...args });

    const unknown = await respond({ decision: 'allow', answers: { 'Which car?': 'red' } });
    const tooMany = await respond({ decision: 'allow', answers: { 0: ['Postgres', 'Redis'] } });
    const wrongKind = await respond({ decision: 'allow', plan: 'a plan' });
    const unanswered = await respond({ decision: 'allow' });
    const empty = await respond({ decision: 'allow', answers: {} });
    const blank = await respond({ decision: 'allow', answers: { 0: '', 1: [' '] } });
    const denied = await respond({ decision: 'deny', message: 'Ask somebody else.' });

    expect(unknown.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: "Which car\?" is not one of the questions: \[0\] "Which DB\?"/,
    );
    expect(tooMany.text).toMatch(/^Error \[INVALID_ARGUMENT\]: the question "Which DB\?" takes one answer/);
    expect(wrongKind.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: plan cannot be used with decision "allow" on a user_question/,
    );
    expect(unanswered.text).toBe(
      'Error [INVALID_ARGUMENT]: to allow a question, pass answers, such as {"Which DB?":"Postgres"}. Answer again, or deny it; the request is still open.',
    );
    expect(empty.text).toBe(unanswered.text);
    expect(blank.text).toBe(unanswered.text);
    expect(denied.json).toMatchObject({ status: 'idle' });
    expect(seenByModel(scene, sessionId)).toContain('Ask somebody else.');
  });
});
