import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text, tool } from '../../kit/model-steps.js';
import type { Stage } from '../stage.js';
import { lastRequest } from './prompts.js';

/** The cost of one answer of the scripted model. */
const ANSWER_COST = expect.closeTo(0.0044, 6) as number;

export function describeTurns(stage: () => Stage): void {
  describe('a turn', () => {
    it('is reported in order, with our ids, and also as raw messages from Claude Code', async () => {
      const session = stage().shared();
      stage().model.when('greet', [text('Hello.')]);

      const uuid = session.send('greet');
      await session.result(uuid);
      await session.host.until('rest', () => session.host.signals.length > 8);

      expect(session.host.signals).toEqual([
        { type: 'activity', state: 'running' },
        { type: 'prompt', uuid, state: 'queued' },
        { type: 'prompt', uuid, state: 'started' },
        {
          type: 'init',
          claudeSessionId: session.claudeSessionId,
          cwd: stage().sandbox.project,
          tools: expect.arrayContaining(['Bash', 'Read', 'Write']),
          agents: expect.arrayContaining(['general-purpose']),
          model: expect.any(String),
          permissionMode: 'default',
        },
        {
          type: 'message_seen',
          uuid: expect.any(String),
          answer: {
            id: expect.any(String),
            usage: expect.objectContaining({ input_tokens: 1000 }),
            chars: 'Hello.'.length,
            model: expect.any(String),
          },
        },
        { type: 'event', event: { type: 'text', text: 'Hello.' } },
        {
          type: 'result',
          promptUuids: [uuid],
          unsolicited: false,
          report: {
            result: 'Hello.',
            outcome: 'completed',
            durationMs: expect.any(Number),
            durationApiMs: expect.any(Number),
            numTurns: 1,
            costUsd: ANSWER_COST,
            stopReason: 'end_turn',
            usage: expect.objectContaining({ input_tokens: 1000, output_tokens: 20 }),
            modelUsage: expect.any(Object),
          },
        },
        { type: 'prompt', uuid, state: 'completed' },
        { type: 'activity', state: 'idle' },
      ]);
      const { messages } = session.host;
      expect(messages.filter((message) => kindOf(message) !== 'system')).toMatchObject([
        { type: 'assistant', message: { content: [{ type: 'text', text: 'Hello.' }] } },
        { type: 'result', result: 'Hello.' },
      ]);
      expect(messages.find((message) => kindOf(message) === 'system')).toMatchObject({ subtype: 'init' });
    });

    it('has its own cost, usage and API time, whatever the process spent before', async () => {
      const session = stage().shared();
      stage().model.when('work', [tool('Bash', { command: 'echo 1' }), text('Worked.')]);
      await session.turn('work');

      const { report } = await session.turn('rest');

      expect(report).toMatchObject({
        result: 'ok',
        numTurns: 1,
        costUsd: ANSWER_COST,
        usage: { input_tokens: 1000, output_tokens: 20 },
      });
      expect(Object.values(report.modelUsage ?? {})).toMatchObject([
        { inputTokens: 1000, costUSD: ANSWER_COST },
      ]);
      expect(report.durationApiMs).toBeLessThanOrEqual(report.durationMs);
    });

    it('accepts a steering prompt at its next tool boundary, and answers both prompts with one result', async () => {
      const { model } = stage();
      const session = stage().shared();
      model.when('dig', [tool('Bash', { command: 'touch hole.txt' }, { id: 'toolu_dig' }), text('Dug.')]);

      const first = session.send('dig');
      const { answer } = await session.ask('toolu_dig');
      const second = session.send('deeper', 'steer');
      answer({ decision: 'allow' });
      const result = await session.result(second);

      expect(result).toMatchObject({
        promptUuids: [first, second],
        report: { result: 'Dug.', outcome: 'completed' },
      });
      expect(lastRequest(model.requests(session.claudeSessionId)).folded.join('\n')).toContain('deeper');
    });

    it('that a finished background task starts is reported as unsolicited', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      const command = 'mkfifo fifo && read line < fifo';
      model.when('<task-notification', [text('Noted.')]);
      model.when('listen', [
        tool('Bash', { command, run_in_background: true }, { id: 'toolu_bg' }),
        text('Listening.'),
      ]);
      const heard = session.listen();

      const uuid = session.send('listen');
      await session.answer('toolu_bg', { decision: 'allow' });
      await session.result(uuid);
      await writeFile(join(sandbox.project, 'fifo'), 'now\n');
      await session.host.until('an unsolicited result', () =>
        heard().some((signal) => signal.type === 'result' && signal.unsolicited),
      );

      const told = heard().filter(({ type }) => type === 'tasks' || type === 'result');
      expect(told).toMatchObject([
        { type: 'tasks', tasks: [{ taskId: expect.any(String), text: command }] },
        { type: 'result', promptUuids: [uuid], unsolicited: false, report: { result: 'Listening.' } },
        { type: 'tasks', tasks: [] },
        {
          type: 'result',
          promptUuids: [],
          unsolicited: true,
          report: { result: 'Noted.', outcome: 'completed', costUsd: ANSWER_COST },
        },
      ]);
      expect(heard().slice(heard().findLastIndex(({ type }) => type === 'tasks'))).toContainEqual({
        type: 'activity',
        state: 'running',
      });
    });
  });
}

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
}
