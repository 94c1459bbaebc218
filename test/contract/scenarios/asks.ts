import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../kit/model-request.js';
import { text, tool, tools } from '../../kit/model-steps.js';
import { toolResultText } from '../../kit/tool-result.js';
import type { Stage } from '../stage.js';

export function describeAsks(stage: () => Stage): void {
  describe('a permission request', () => {
    /** The result of a tool call that the model received in its latest request. */
    const told = (sessionId: string, toolUseId: string): string | undefined => {
      const request: ModelRequest | undefined = stage().model.requests(sessionId).at(-1);
      return request && toolResultText(request, toolUseId);
    };

    it('contains the call and the description by Claude, and runs the call when allowed', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      const input = { command: 'touch made.txt', description: 'Make a file' };
      model.when('make', [tool('Bash', input, { id: 'toolu_make' }), text('Made.')]);
      const heard = session.listen();

      const uuid = session.send('make');
      const { ask, signal, answer } = await session.ask('toolu_make');
      const existedBefore = existsSync(join(sandbox.project, 'made.txt'));
      answer({ decision: 'allow' });
      const { report } = await session.result(uuid);

      // Some backends add suggestions from Claude Code. Everything else is the same for all.
      const { suggestedRules: _suggestedRules, blockedPath: _blockedPath, ...call } = ask;
      expect(call).toEqual({
        kind: 'permission',
        toolName: 'Bash',
        toolUseId: 'toolu_make',
        input,
        claudeSays: 'Make a file',
      });
      expect([existedBefore, existsSync(join(sandbox.project, 'made.txt'))]).toEqual([false, true]);
      expect(heard().flatMap((one) => (one.type === 'event' ? [one.event] : []))).toEqual([
        { type: 'tool_use', toolUseId: 'toolu_make', toolName: 'Bash', summary: 'Bash: touch made.txt' },
        { type: 'tool_result', toolUseId: 'toolu_make', isError: false, text: expect.any(String) },
        { type: 'text', text: 'Made.' },
      ]);
      expect(report).toMatchObject({ result: 'Made.', outcome: 'completed', numTurns: 2 });
      expect(signal.aborted).toBe(false);
    });

    it("contains Claude Code's suggestions and objections", async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      model.when('suggest', [
        tool('Bash', { command: 'touch hint.txt' }, { id: 'toolu_hint' }),
        text('Hinted.'),
      ]);

      const uuid = session.send('suggest');
      const { ask, answer } = await session.ask('toolu_hint');
      answer({ decision: 'deny', message: 'No.', interrupt: false });
      await session.result(uuid);

      expect(ask).toMatchObject({
        suggestedRules: [expect.stringMatching(/^Bash\(touch/)],
        blockedPath: join(sandbox.project, 'hint.txt'),
      });
    });

    it('can be a plan, after which the session continues in the requested mode', async () => {
      const { model, sandbox } = stage();
      const session = stage().open({ options: { permissionMode: 'plan' } });
      const write = { file_path: join(sandbox.project, 'planned.txt'), content: 'as planned' };
      model.when('plan it', [
        tool('ExitPlanMode', {}, { id: 'toolu_plan' }),
        tool('Write', write, { id: 'toolu_planned' }),
        text('Done as planned.'),
      ]);

      const uuid = session.send('plan it');
      const { ask, answer } = await session.ask('toolu_plan');
      answer({ decision: 'allow', nextMode: 'acceptEdits' });
      const { report } = await session.result(uuid);

      expect(ask).toMatchObject({ kind: 'plan_review', toolName: 'ExitPlanMode' });
      expect(report).toMatchObject({ result: 'Done as planned.', outcome: 'completed' });
      expect(existsSync(write.file_path)).toBe(true);
      expect(session.host.asks).toHaveLength(1);
    });

    it('can add rules for the rest of the session, unless it is a plan', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      const asks = session.host.asks.length;
      model.when('thrice', [
        tool('Bash', { command: 'mkdir one' }, { id: 'toolu_one' }),
        tool('Bash', { command: 'mkdir two' }, { id: 'toolu_two' }),
        text('Done.'),
      ]);

      const uuid = session.send('thrice');
      await session.answer('toolu_one', {
        decision: 'allow',
        updates: [{ type: 'addRules', rules: ['Bash(mkdir *)'] }],
      });
      await session.result(uuid);

      expect(existsSync(join(sandbox.project, 'two'))).toBe(true);
      expect(session.host.asks).toHaveLength(asks + 1);
    });

    it('can be forced by the gate, despite an earlier approval', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      model.when('force', [
        tool('Bash', { command: 'rmdir void' }, { id: 'toolu_approved' }),
        tool('Bash', { command: 'rmdir forced' }, { id: 'toolu_forced' }),
        text('Left it.'),
      ]);
      mkdirSync(join(sandbox.project, 'void'));
      mkdirSync(join(sandbox.project, 'forced'));

      const uuid = session.send('force');
      const approved = await session.ask('toolu_approved');
      session.host.gate = { ask: 'Because.', isGrantable: false };
      approved.answer({ decision: 'allow', updates: [{ type: 'addRules', rules: ['Bash(rmdir *)'] }] });
      const { ask, answer } = await session.ask('toolu_forced');
      answer({ decision: 'deny', message: 'No.', interrupt: false });
      await session.result(uuid);
      session.host.gate = 'pass';

      expect(ask).toMatchObject({ toolName: 'Bash', reason: 'Because.' });
      expect(['void', 'forced'].filter((name) => existsSync(join(sandbox.project, name)))).toEqual([
        'forced',
      ]);
    });

    it('gives the model the reason of a denial, and the turn continues', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      model.when('remove', [tool('Bash', { command: 'touch no.txt' }, { id: 'toolu_no' }), text('Left it.')]);

      const uuid = session.send('remove');
      await session.answer('toolu_no', { decision: 'deny', message: 'Not on a Sunday.', interrupt: false });
      const { report } = await session.result(uuid);

      expect(told(session.claudeSessionId, 'toolu_no')).toBe('Not on a Sunday.');
      expect(existsSync(join(sandbox.project, 'no.txt'))).toBe(false);
      expect(report).toMatchObject({
        result: 'Left it.',
        outcome: 'completed',
        permissionDenials: [{ tool_name: 'Bash', tool_use_id: 'toolu_no' }],
      });
    });

    it('ends the turn but not the session when it is denied with interrupt, and drops the reason', async () => {
      const { model } = stage();
      const session = stage().shared();
      model.when('halt', [
        tool('Bash', { command: 'touch halt.txt' }, { id: 'toolu_halt' }),
        text('Never said.'),
      ]);

      const uuid = session.send('halt');
      await session.answer('toolu_halt', { decision: 'deny', message: 'Stop.', interrupt: true });
      const { report } = await session.result(uuid);
      const after = await session.turn('still there?');

      expect(report).toMatchObject({ result: 'Interrupted.', outcome: 'interrupted' });
      expect(report).not.toHaveProperty('errorSubtype');
      expect(after.report).toMatchObject({ result: 'ok', outcome: 'completed' });
      expect(told(session.claudeSessionId, 'toolu_halt')).not.toContain('Stop.');
    });

    it('runs the changed input when it is allowed with one', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      model.when('change', [
        tool('Bash', { command: 'touch asked.txt' }, { id: 'toolu_change' }),
        text('Changed.'),
      ]);

      const uuid = session.send('change');
      await session.answer('toolu_change', {
        decision: 'allow',
        updatedInput: { command: 'touch given.txt' },
      });
      await session.result(uuid);

      const made = ['asked.txt', 'given.txt'].filter((name) => existsSync(join(sandbox.project, name)));
      expect(made).toEqual(['given.txt']);
    });

    it('is answered separately from other open requests', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      const read = (name: string) =>
        tool('Read', { file_path: join(sandbox.root, name) }, { id: `toolu_${name}` });
      model.when('compare', [tools([read('a.txt'), read('b.txt')]), text('Compared.')]);

      const uuid = session.send('compare');
      const [first, second] = [await session.ask('toolu_a.txt'), await session.ask('toolu_b.txt')];
      second.answer({ decision: 'allow' });
      first.answer({ decision: 'deny', message: 'Not this one.', interrupt: false });
      await session.result(uuid);

      expect(told(session.claudeSessionId, 'toolu_a.txt')).toBe('Not this one.');
      expect(told(session.claudeSessionId, 'toolu_b.txt')).toContain('text of b.txt');
    });

    it('is withdrawn by an interrupt', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      model.when('waver', [
        tool('Bash', { command: 'touch waver.txt' }, { id: 'toolu_waver' }),
        text('Never said.'),
      ]);

      const uuid = session.send('waver');
      const { signal, answer } = await session.ask('toolu_waver');
      await session.process.interrupt();
      await session.host.until('the withdrawal', () => signal.aborted);
      answer({ decision: 'allow' });
      const { report } = await session.result(uuid);

      expect(report).toMatchObject({ outcome: 'interrupted' });
      expect(existsSync(join(sandbox.project, 'waver.txt'))).toBe(false);
    });

    it('can be a question, whose answers return in the input', async () => {
      const { model } = stage();
      const session = stage().shared();
      const questions = [
        {
          question: 'Which one?',
          header: 'One',
          multiSelect: false,
          options: [
            { label: 'Left', description: 'l' },
            { label: 'Right', description: 'r' },
          ],
        },
      ];
      model.when('ask me', [tool('AskUserQuestion', { questions }, { id: 'toolu_ask' }), text('Thanks.')]);

      const uuid = session.send('ask me');
      const { ask, answer } = await session.ask('toolu_ask');
      answer({ decision: 'allow', updatedInput: { questions, answers: { 'Which one?': 'Right' } } });
      await session.result(uuid);

      expect(ask).toEqual({
        kind: 'user_question',
        toolName: 'AskUserQuestion',
        toolUseId: 'toolu_ask',
        input: { questions },
      });
      expect(told(session.claudeSessionId, 'toolu_ask')).toContain('"Which one?"="Right"');
    });
  });
}
