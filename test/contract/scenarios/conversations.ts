import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { text } from '../../kit/model-steps.js';
import type { PortSession } from '../port-session.js';
import { useStage, type CreateBackend, type Stage } from '../stage.js';

export function describeConversations(createBackend: CreateBackend): void {
  describe('a conversation', () => {
    const stage = useStage(createBackend);

    it('continues after stop and resume, and branches by fork, with its history and its own costs', async () => {
      const { model } = stage();
      model.when('remember blue', [text('Blue it is.')]);
      const first = stage().open();
      const { claudeSessionId } = first;
      await first.turn('remember blue');
      await first.process.stop();

      const resumed = stage().open({ claudeSessionId, from: { type: 'resume' } });
      const back = await resumed.turn('which colour?');
      const forked = stage().open({ from: { type: 'fork', claudeSessionId } });
      const branch = await forked.turn('and in the copy?');

      expect([idOf(resumed), idOf(forked)]).toEqual([claudeSessionId, forked.claudeSessionId]);
      expect(forked.claudeSessionId).not.toBe(claudeSessionId);
      expect([historyOf(resumed, stage()), historyOf(forked, stage())]).toEqual([
        ['remember blue', 'Blue it is.', 'which colour?'],
        ['remember blue', 'Blue it is.', 'which colour?', 'ok', 'and in the copy?'],
      ]);
      for (const { report } of [back, branch]) {
        expect(report).toMatchObject({ outcome: 'completed', costUsd: expect.closeTo(0.0044, 6) });
        expect(report.durationApiMs ?? 0).toBeLessThanOrEqual(report.durationMs);
      }
    });

    it('that does not exist cannot be resumed, and the result explains it', async () => {
      const session = stage().open({ claudeSessionId: randomUUID(), from: { type: 'resume' } });

      session.send('hello?');
      const result = await session.host.until('a result', () =>
        session.host.signals.find(({ type }) => type === 'result'),
      );
      const exit = await session.host.exit();

      expect(result).toMatchObject({
        report: { outcome: 'failed', result: expect.stringContaining('No conversation found') },
      });
      expect(exit).toMatchObject({ neverStarted: false });
    });
  });
}

function idOf({ host }: PortSession): string | undefined {
  const init = host.signals.find((signal) => signal.type === 'init');
  return init?.claudeSessionId;
}

/** The conversation in the latest request to the model. */
function historyOf({ claudeSessionId }: PortSession, { model }: Stage): readonly string[] {
  const messages = model.requests(claudeSessionId).at(-1)?.body.messages ?? [];
  return messages
    .filter(({ role }) => role !== 'system')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.map((block) => block.text ?? ''),
    )
    .filter((words) => words !== '' && !words.startsWith('<system-reminder>'));
}
