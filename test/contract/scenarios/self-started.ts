import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGate } from '../../kit/gate.js';
import { gate, streamThenHang, text, tool } from '../../kit/model-steps.js';
import { plantScheduledTask } from '../../kit/scheduled-task.js';
import { useStage, type CreateBackend } from '../stage.js';

export function describeSelfStarted(createBackend: CreateBackend): void {
  describe('work that Claude Code begins itself', () => {
    const stage = useStage(createBackend, ({ project }) => plantScheduledTask(project, 'the scheduled task'));

    it('includes no scheduled task without project settings, whatever the caller sets', async () => {
      const { model } = stage();
      const session = stage().open({ options: { env: { CLAUDE_CODE_DISABLE_CRON: '0' } } });

      await session.turn('one');
      await session.turn('two');

      const prompts = model.requests(session.claudeSessionId).map(({ promptText }) => promptText);
      expect(prompts).toEqual(['one', 'two']);
    });

    it('is reported apart from a prompt that waits for its end', async () => {
      const { model } = stage();
      const held = createGate();
      model.when('the scheduled task', [
        tool('Bash', { command: 'echo 1' }),
        gate(held, tool('Bash', { command: 'echo 2' })),
        text('Cleaned.'),
      ]);
      model.when('greet', [text('Hello.')]);
      const session = stage().open({ options: { settingSources: ['user', 'project'] } });

      await held.reached;
      const uuid = session.send('greet');
      await session.host.until('the queue', () =>
        session.host.signals.some((signal) => signal.type === 'prompt' && signal.state === 'queued'),
      );
      held.open();
      const result = await session.result(uuid);

      expect(result).toMatchObject({ promptUuids: [uuid], unsolicited: false, report: { result: 'Hello.' } });
      expect(session.host.signals.filter(({ type }) => type === 'result')).toMatchObject([
        { promptUuids: [], unsolicited: true, report: { result: 'Cleaned.' } },
        { promptUuids: [uuid] },
      ]);
      // While it lives, no other process runs the scheduled tasks of this folder.
      await session.process.stop();
    });

    it('stays apart from a prompt also when a background task has begun it', async () => {
      const { model, sandbox } = stage();
      const held = createGate();
      model.when('<task-notification', [
        tool('Bash', { command: 'echo 1' }),
        gate(held, tool('Bash', { command: 'echo 2' })),
        text('Noted.'),
      ]);
      model.when('greet', [text('Hello.')]);
      model.when('listen', [
        tool('Bash', { command: 'mkfifo fifo && read line < fifo', run_in_background: true }),
        text('Listening.'),
      ]);
      const session = stage().open({ options: { allowedTools: ['Bash'] } });
      await session.turn('listen');
      const meanwhile = await session.turn('meanwhile');

      await writeFile(join(sandbox.project, 'fifo'), 'now\n');
      await held.reached;
      const uuid = session.send('greet');
      await session.host.until('the queue', () =>
        session.host.signals.some((signal) => signal.type === 'prompt' && signal.uuid === uuid),
      );
      held.open();
      const result = await session.result(uuid);

      // The task itself keeps no prompt waiting.
      expect(meanwhile.report.result).toBe('ok');
      expect(result).toMatchObject({ promptUuids: [uuid], report: { result: 'Hello.' } });
    });

    it('begins when a subagent has ended, not when the model has answered', async () => {
      const { model } = stage();
      const [works, reports] = [createGate(), createGate()];
      const asked = { description: 'look', prompt: 'look around', subagent_type: 'general-purpose' };
      model.when('look around', [gate(works, text('There is nothing.'))]);
      model.when('<task-notification', [gate(reports, text('Noted.'))]);
      model.when('delegate', [tool('Agent', { ...asked, run_in_background: true }), text('It looks.')]);
      const session = stage().open();
      await session.turn('delegate');
      const count = (): number => session.host.signals.filter(({ type }) => type === 'init').length;
      const before = count();

      works.open();
      await reports.reached;
      await session.host.until('the turn', () => count() > before);
      reports.open();
      await session.host.until('the result', () =>
        session.host.signals.some((signal) => signal.type === 'result' && signal.unsolicited),
      );

      expect(before).toBe(1);
    });

    it('is all that an interrupt ends: the prompt behind it starts, and needs another interrupt', async () => {
      const { model, sandbox } = stage();
      plantScheduledTask(sandbox.project, 'the scheduled task');
      const held = createGate();
      model.when('the scheduled task', [gate(held, text('Cleaned.'))]);
      model.when('dig', [streamThenHang('Digging')]);
      const session = stage().open({ options: { settingSources: ['user', 'project'] } });
      const reaches = (state: string): Promise<unknown> =>
        session.host.until(state, () =>
          session.host.signals.some(
            (signal) => signal.type === 'prompt' && signal.state === state && signal.uuid === uuid,
          ),
        );

      await held.reached;
      const uuid = session.send('dig');
      await reaches('queued');
      await session.process.interrupt();
      await reaches('started');
      await session.process.interrupt();
      const result = await session.result(uuid);

      expect(result).toMatchObject({ promptUuids: [uuid], report: { outcome: 'interrupted' } });
    });
  });
}
