import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson, settledInputs } from '../kit/person.js';
import { dbQuestion } from '../kit/questions.js';
import { writePlan } from '../kit/approval-moves.js';
import { backends, create, pending, startSessions, untilStatus } from '../kit/sessions-moves.js';

describe('the six tools', () => {
  it('without forms: the request waits in the queue until claude_respond answers it', async () => {
    const scene = await startSessions({ era: 'legacy', backend: 'cli' });
    const { server, model, sandbox } = scene;
    const file = join(sandbox.project, 'a.txt');
    const input = { file_path: file, content: 'a' };
    model.when('write it', [tool('Write', input), text('Written.')]);

    const created = await create(scene, 'write it');
    const { sessionId } = created;
    const waiting = await untilStatus(scene, sessionId, 'waiting_for_input');
    const wasThere = existsSync(file);
    const { inputId } = await pending(scene, sessionId);
    const answered = await server.call('claude_respond', { sessionId, inputId, decision: 'allow' });
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(created).toEqual({ sessionId, status: 'running' });
    expect(waiting).toEqual({
      sessionId,
      status: 'waiting_for_input',
      cursor: expect.any(Number),
      recentOutput: [],
      pendingInputs: [
        {
          inputId,
          type: 'permission',
          toolName: 'Write',
          toolInput: input,
          description: expect.stringContaining(`Write: \`${file}\``),
        },
      ],
      toolUseEvents: [{ toolName: 'Write', status: 'running' }],
      turnCount: 1,
    });
    expect(wasThere).toBe(false);
    expect(answered.json).toEqual({ sessionId, status: 'running' });
    expect(done).toEqual({
      sessionId,
      status: 'completed',
      cursor: expect.any(Number),
      result: 'Written.',
      recentOutput: ['Written.'],
      pendingInputs: [],
      toolUseEvents: [{ toolName: 'Write', status: 'completed' }],
      costUsd: expect.any(Number),
      turnCount: 2,
    });
    expect(existsSync(file)).toBe(true);
  });

  it('with forms: the person behind the client is asked, and the session goes on', async () => {
    const scene = await startSessions({ era: 'legacy', backend: 'agent-sdk', capabilities: formCapability });
    const { server, model, sandbox } = scene;
    const file = join(sandbox.project, 'a.txt');
    model.when('write it', [tool('Write', { file_path: file, content: 'a' }), text('Written.')]);
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const created = await create(scene, 'write it');
    const done = await untilStatus(scene, created.sessionId, 'completed');

    expect(created).toEqual({ sessionId: created.sessionId, status: 'running' });
    expect(person.forms.map(({ message }) => message)).toEqual([expect.stringContaining(file)]);
    expect(done).toMatchObject({ result: 'Written.', pendingInputs: [] });
    expect(settledInputs(server)).toMatchObject([{ toolName: 'Write', answeredBy: 'elicitation' }]);
    expect(existsSync(file)).toBe(true);
  });
});

describe.each(backends)('the six tools on %s', (backend) => {
  it('in plan mode: a question, a plan that is sent back, and one that is approved and built', async () => {
    const scene = await startSessions({ era: 'modern', backend });
    const { server, model, sandbox } = scene;
    const file = join(sandbox.project, 'a.txt');
    model.when('plan it', [
      tool('AskUserQuestion', { questions: [dbQuestion] }),
      writePlan('# Plan one'),
      tool('ExitPlanMode', {}),
      writePlan('# Plan two'),
      tool('ExitPlanMode', {}),
      tool('Write', { file_path: file, content: 'a' }),
      text('Built.'),
    ]);
    const respond = async (inputId: string, answer: Record<string, unknown>): Promise<void> => {
      const { json } = await server.call('claude_respond', { sessionId, inputId, ...answer });
      expect(json).toEqual({ sessionId, status: 'running' });
    };

    const { sessionId } = await create(scene, 'plan it', { permissionMode: 'plan' });
    const question = await pending(scene, sessionId);
    const { questions } = question.toolInput;
    await respond(question.inputId, { decision: 'allow', updatedInput: { questions, answers: ['Redis'] } });
    const first = await pending(scene, sessionId);
    const feedback = 'Also consider the session management module.';
    await respond(first.inputId, { decision: 'deny', reason: feedback });
    const second = await pending(scene, sessionId);
    await respond(second.inputId, { decision: 'allow' });
    const write = await pending(scene, sessionId);
    const wasThere = existsSync(file);
    await respond(write.inputId, { decision: 'allow' });
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(question).toEqual({
      inputId: question.inputId,
      type: 'user_question',
      toolName: 'AskUserQuestion',
      toolInput: {
        questions: [
          {
            question: 'Which DB?',
            header: 'DB',
            options: ['Postgres', 'Redis'],
            descriptions: ['relational', 'in memory'],
            multiSelect: false,
          },
        ],
      },
      description: 'Claude asks: "Which DB?"',
    });
    expect([first, second]).toMatchObject(
      ['# Plan one', '# Plan two'].map((plan) => ({
        type: 'plan_review',
        toolName: 'ExitPlanMode',
        toolInput: { plan },
        description: `Claude asks for approval of its plan "${plan.slice(2)}"`,
      })),
    );
    expect(wasThere).toBe(false);
    expect(done).toMatchObject({ result: 'Built.' });
    expect(existsSync(file)).toBe(true);
    const seen = model.requests(sessionId).map(({ body }) => JSON.stringify(body));
    expect(seen.some((body) => body.includes('Redis'))).toBe(true);
    expect(seen.some((body) => body.includes(feedback))).toBe(true);
  });
});
