import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../kit/model-request.js';
import type { Sandbox } from '../../kit/sandbox.js';
import type { Stage } from '../stage.js';

export function describePrompts(stage: () => Stage): void {
  describe('a turn', () => {
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
export function layBait({ root, configDir }: Sandbox): void {
  writeFileSync(join(root, 'secret.txt'), 'TEXT-OF-THE-FILE');
  mkdirSync(join(configDir, 'commands'));
  writeFileSync(join(configDir, 'commands', 'fix.md'), '---\ndescription: Fixes\n---\nTEXT-OF-THE-COMMAND');
}

export function lastRequest(requests: readonly ModelRequest[]): ModelRequest {
  const request = requests.at(-1);
  if (request === undefined) throw new Error('The model was not asked.');
  return request;
}
