import { mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../kit/model-request.js';
import { text, tool } from '../../kit/model-steps.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { useStage, type CreateBackend } from '../stage.js';

/** The cost of one answer of the scripted model. */
const ANSWER_COST = expect.closeTo(0.0044, 6) as number;

export function describeTurns(createBackend: CreateBackend): void {
  describe('a turn', () => {
    const stage = useStage(createBackend, layBait);

    it('is also reported as raw messages from Claude Code', async () => {
      const session = stage().open();
      stage().model.when('greet', [text('Hello.')]);

      await session.turn('greet');

      const { messages } = session.host;
      expect(messages.filter((message) => kindOf(message) !== 'system')).toMatchObject([
        { type: 'assistant', message: { content: [{ type: 'text', text: 'Hello.' }] } },
        { type: 'result', result: 'Hello.' },
      ]);
      expect(messages.find((message) => kindOf(message) === 'system')).toMatchObject({ subtype: 'init' });
    });

    it('is reported in order, with the id that we created and the uuid that we sent', async () => {
      const session = stage().open();
      stage().model.when('greet', [text('Hello.')]);

      const uuid = session.send('greet');
      await session.result(uuid);
      await session.host.until('rest', () => session.host.signals.length > 5);

      expect(session.host.signals).toEqual([
        { type: 'activity', state: 'running' },
        {
          type: 'init',
          claudeSessionId: session.claudeSessionId,
          tools: expect.arrayContaining(['Bash', 'Read', 'Write']),
          permissionMode: 'default',
        },
        {
          type: 'message_seen',
          uuid: expect.any(String),
          answer: {
            id: expect.any(String),
            usage: expect.objectContaining({ input_tokens: 1000 }),
            chars: 'Hello.'.length,
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
        { type: 'activity', state: 'idle' },
      ]);
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

    it.each<[string, (root: string) => string]>([
      ['a path', (root) => `look at @${root}/secret.txt`],
      ["a command of the user's", () => '/fix the bug'],
      ["a command of Claude Code's", () => '/clear'],
      ['what looks like a flag', () => '--dangerously-skip-permissions'],
      ['what looks like a shell command', () => '!touch baited; # `id`'],
      ['the line ends of Unicode', () => 'one\u2028two\u2029three\u0085four\r\nfive\u0000six'],
      ['a mebibyte', () => `${'Grüße, 世界 🌍 '.repeat(45_000)}!`],
    ])('receives its prompt verbatim when it contains %s', async (_name, promptFor) => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      const prompt = promptFor(sandbox.root);

      const { report } = await session.turn(prompt);

      const request = lastRequest(model.requests(session.claudeSessionId));
      expect(report).toMatchObject({ result: 'ok', outcome: 'completed', numTurns: 1 });
      expect(request.promptText).toBe(prompt);
      const sent = JSON.stringify(request.body);
      expect(['TEXT-OF-THE-FILE', 'TEXT-OF-THE-COMMAND'].filter((bait) => sent.includes(bait))).toEqual([]);
    });
  });
}

/** Files and commands that a prompt would load without approval if it were not sent verbatim. */
function layBait({ root, configDir }: Sandbox): void {
  writeFileSync(join(root, 'secret.txt'), 'TEXT-OF-THE-FILE');
  mkdirSync(join(configDir, 'commands'));
  writeFileSync(join(configDir, 'commands', 'fix.md'), '---\ndescription: Fixes\n---\nTEXT-OF-THE-COMMAND');
}

function lastRequest(requests: readonly ModelRequest[]): ModelRequest {
  const request = requests.at(-1);
  if (request === undefined) throw new Error('The model was not asked.');
  return request;
}

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
}
