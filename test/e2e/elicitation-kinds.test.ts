import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { questions } from '../kit/questions.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson, settledInputs, type ShownForm } from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';

/** The model finds the path of its plan file in the reminder that plan mode gives it. */
function writePlan(content: string): ScriptStep {
  return (request) => {
    const [path = ''] = /\/[^\s"\\`]*\.claude\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body)) ?? [];
    return tool('Write', { file_path: path, content });
  };
}

async function startPlanning(
  { server, sandbox, model }: Scene,
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

describe('a plan in a form of the modern era', () => {
  it('is sent back with words, shown again and approved', async () => {
    const scene = await startScene({ era: 'modern', capabilities: formCapability });
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

describe('a question in a form of the legacy era', () => {
  it('is answered with one choice and with several', async () => {
    const { server, model, sandbox } = await startScene({ era: 'legacy', capabilities: formCapability });
    model.when('ask me', [tool('AskUserQuestion', { questions }, { id: 'toolu_ask' }), text('thanks')]);
    seatPerson(server, () => accept({ question_1: 'Redis', question_2: ['Cache', 'Queue'] }));

    const done = await server.call('claude_code', {
      prompt: 'ask me',
      cwd: sandbox.project,
      waitMs: 20_000,
    });

    const last = model.requests(done.json.sessionId).at(-1);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'thanks' } });
    expect(last && toolResultText(last, 'toolu_ask')).toMatch(
      /"Which DB\?"="Redis".*"Which extras\?"="Cache, Queue"/,
    );
  });
});
