import { describe, expect, it } from 'vitest';
import { stall, streamThenHang, text, tool } from '../../kit/model-steps.js';
import { until } from '../../kit/until.js';
import type { Stage } from '../stage.js';

/** Claude Code refuses a bare `sleep`. This command runs until it is killed. */
export const ENDLESS = 'tail -f /dev/null';

export function describeInterrupts(stage: () => Stage): void {
  describe('an interrupt', () => {
    it('stops a turn while its text streams, and keeps the text so far', async () => {
      const { model } = stage();
      const session = stage().shared();
      model.when('recite', [streamThenHang('one two three')]);
      const heard = session.listen();

      const uuid = session.send('recite');
      const request = await model.request(({ promptText }) => promptText === 'recite');
      await session.process.interrupt();
      const result = await session.result(uuid);
      const after = await session.turn('go on');

      expect(result).toMatchObject({
        promptUuids: [uuid],
        report: { result: 'Interrupted.', outcome: 'interrupted' },
      });
      expect(result.report).not.toHaveProperty('errorSubtype');
      expect(await request.ended).toBe('aborted');
      expect(heard().filter(({ type }) => type === 'result')).toHaveLength(2);
      expect(after.report).toMatchObject({ result: 'ok', outcome: 'completed' });
    });

    it('ends the running Bash command, but not the session', async () => {
      const { model } = stage();
      const session = stage().shared();
      model.when('follow', [tool('Bash', { command: ENDLESS }, { id: 'toolu_follow' }), text('Never said.')]);

      const uuid = session.send('follow');
      await session.answer('toolu_follow', { decision: 'allow' });
      await until('Bash runs', () => stage().commands().includes(ENDLESS));
      await session.process.interrupt();
      const { report } = await session.result(uuid);
      await until('Bash is gone', () => stage().commands().length === 0);
      const after = await session.turn('go on');

      expect(report).toMatchObject({ result: 'Interrupted.', outcome: 'interrupted' });
      expect(after.report).toMatchObject({ result: 'ok', outcome: 'completed' });
    });

    it('between two turns changes nothing', async () => {
      const session = stage().shared();
      await session.turn('first');
      const heard = session.listen();

      await session.process.interrupt();
      const { report } = await session.turn('second');

      expect(report).toMatchObject({ result: 'ok', outcome: 'completed' });
      expect(heard().filter(({ type }) => type === 'result')).toHaveLength(1);
    });

    it('of a prompt whose process is still starting is not lost', async () => {
      const session = stage().open();
      stage().model.when('hold', [stall()]);

      const uuid = session.send('hold');
      await session.process.interrupt();
      const { report } = await session.result(uuid);

      expect(report).toMatchObject({ result: 'Interrupted.', outcome: 'interrupted' });
    });
  });
}
