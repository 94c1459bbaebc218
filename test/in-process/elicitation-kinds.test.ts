import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { questions } from '../kit/questions.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';
import {
  accept,
  formCapability,
  HUMAN_NO_MS,
  seatPerson,
  settledInputs,
  type ShownForm,
} from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';

/** The model finds the path of its plan file in the reminder that plan mode gives it. */
function writePlan(content: string): ScriptStep {
  return (request) => {
    const [path = ''] = /\/[^\s"\\`]*\.claude\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body)) ?? [];
    return tool('Write', { file_path: path, content });
  };
}

async function startPlanning(
  { server, sandbox, model }: InProcessScene,
  review: readonly ScriptStep[],
): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('plan it', [
    writePlan('# Plan\nTouch a file.'),
    ...review,
    tool('Write', { file_path: join(sandbox.project, 'a.txt'), content: 'a' }),
    text('built'),
  ]);
  return server.call('claude_code', {
    prompt: 'plan it',
    cwd: sandbox.project,
    permissionMode: 'plan',
    waitMs: 25_000,
  });
}

function isPlan({ message }: ShownForm): boolean {
  return message.startsWith("Approve Claude Code's plan");
}

describe.each(['modern', 'legacy'] as const)('a plan in a form, %s era', (era) => {
  it('is shown whole and approved, and the first edit is asked', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server, sandbox } = scene;
    const wasBuilt: boolean[] = [];
    const person = seatPerson(server, (form) => {
      wasBuilt.push(existsSync(join(sandbox.project, 'a.txt')));
      return accept({ decision: isPlan(form) ? 'approve' : 'allow' });
    });

    const built = await startPlanning(scene, [tool('ExitPlanMode', {})]);

    expect(built.json).toMatchObject({ status: 'idle', result: { result: 'built' } });
    expect(person.forms).toMatchObject([
      {
        message: `Approve Claude Code's plan in project?\nSession: ${built.json.sessionId.slice(0, 8)}, folder \`${sandbox.project}\`\n> plan:\n> | # Plan\n> | Touch a file.`,
        fields: {
          decision: { enum: ['approve', 'revise'], enumNames: ['Approve', 'Ask for changes'] },
          feedback: { type: 'string' },
        },
        required: ['decision'],
      },
      { message: expect.stringContaining('Tool: Write'), required: ['decision'] },
    ]);
    expect(wasBuilt).toEqual([false, false]);
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
  });

  it('is sent back with words, shown again and approved', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const { server, model } = scene;
    const person = seatPerson(server, (form, index) => {
      if (index === 0) return accept({ decision: 'revise', feedback: 'Test it too.' });
      return accept({ decision: isPlan(form) ? 'approve' : 'allow' });
    });

    const built = await startPlanning(scene, [
      tool('ExitPlanMode', {}, { id: 'toolu_first' }),
      writePlan('# Plan\nTouch a file and test it.'),
      tool('ExitPlanMode', {}, { id: 'toolu_second' }),
    ]);

    const last = model.requests(built.json.sessionId).at(-1);
    expect(built.json).toMatchObject({ status: 'idle', result: { result: 'built' } });
    expect(last && toolResultText(last, 'toolu_first')).toContain('A person denied this: Test it too.');
    expect(last && toolResultText(last, 'toolu_second')).toContain('approved');
    expect(person.forms.map(isPlan)).toEqual([true, true, false]);
    expect(person.forms[1]?.message).toContain('> | Touch a file and test it.');
    expect(settledInputs(server).map(({ toolName, decision }) => [toolName, decision])).toEqual([
      ['ExitPlanMode', 'deny'],
      ['ExitPlanMode', 'allow'],
      ['Write', 'allow'],
    ]);
  });
});

async function startAsking({
  server,
  model,
  sandbox,
}: InProcessScene): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('ask me', [tool('AskUserQuestion', { questions }, { id: 'toolu_ask' }), text('thanks')]);
  return server.call('claude_code', { prompt: 'ask me', cwd: sandbox.project, waitMs: 20_000 });
}

function told({ model }: InProcessScene, sessionId: string): string {
  const last = model.requests(sessionId).at(-1);
  return (last && toolResultText(last, 'toolu_ask')) ?? '';
}

describe.each(['modern', 'legacy'] as const)('a question in a form, %s era', (era) => {
  it('has a field for each question with its options, and one for a note', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ question_1: 'Redis' }));

    const done = await startAsking(scene);

    expect(person.forms).toMatchObject([
      {
        message: `Claude Code has a question in project:\nSession: ${done.json.sessionId.slice(0, 8)}, folder \`${scene.sandbox.project}\`\n> 1. Which DB?\n>   - Postgres: relational\n>   - Redis: in memory\n> 2. Which extras?\n>   - Cache: fast\n>   - Queue: later`,
        fields: {
          question_1: { type: 'string', title: '"Which DB?"', enum: ['Postgres', 'Redis'] },
          question_2: {
            type: 'array',
            title: '"Which extras?"',
            items: { type: 'string', enum: ['Cache', 'Queue'] },
          },
          note: { type: 'string' },
        },
        required: [],
      },
    ]);
    expect(done.json).toMatchObject({ answered: [{ decision: 'allow', answeredBy: 'elicitation' }] });
  });

  const answers: [string, ElicitResult, RegExp][] = [
    [
      'with one choice and with several',
      accept({ question_1: 'Redis', question_2: ['Cache', 'Queue'] }),
      /"Which DB\?"="Redis".*"Which extras\?"="Cache, Queue"/,
    ],
    [
      'with a note beside the choices',
      accept({ question_1: 'Redis', question_2: ['Cache'], note: 'prefer v7' }),
      /"Which DB\?"="Redis".*"Which extras\?"="Cache".*prefer v7/,
    ],
    ['with free text only', accept({ note: 'whatever you like' }), /"Which DB\?"="whatever you like"/],
    [
      'with free text for the one that is left',
      accept({ question_1: 'Postgres', note: 'none of them' }),
      /"Which DB\?"="Postgres".*"Which extras\?"="none of them"/,
    ],
    ['in part', accept({ question_1: 'Postgres' }), /"Which DB\?"="Postgres"(?!.*Which extras\?"=)/],
  ];

  it.each(answers)('is answered %s', async (_name, reply, expected) => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => reply);

    const done = await startAsking(scene);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'thanks', outcome: 'completed' } });
    expect(told(scene, done.json.sessionId)).toMatch(expected);
  });

  it('is answered with nothing filled in: the model hears that nobody chose, and goes on', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({}));

    const done = await startAsking(scene);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'thanks', outcome: 'completed' } });
    expect(told(scene, done.json.sessionId)).toBe('The user did not answer the questions.');
    expect(person.forms).toHaveLength(1);
  });

  it('is refused by declining', async () => {
    const scene = await startInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => ({ action: 'decline' }), HUMAN_NO_MS);

    const done = await startAsking(scene);

    expect(done.json).toMatchObject({
      status: 'idle',
      answered: [{ decision: 'deny', answeredBy: 'elicitation' }],
      result: { result: 'thanks' },
    });
    expect(told(scene, done.json.sessionId)).toBe('A person denied this.');
  });
});
