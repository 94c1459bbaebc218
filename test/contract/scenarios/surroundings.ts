import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { depthVariable, ownVariables } from '../../../src/config/settings.js';
import { text, tool } from '../../kit/model-steps.js';
import { toolResultText } from '../../kit/tool-result.js';
import type { PortSession } from '../port-session.js';
import { useStage, type CreateBackend } from '../stage.js';

export function describeSurroundings(createBackend: CreateBackend): void {
  describe('a session', () => {
    const stage = useStage(createBackend, ({ configDir }) => {
      const settings = {
        env: { FROM_USER_SETTINGS: 'yes' },
        permissions: { deny: ['Bash(touch:*)'], allow: ['Bash(env)'] },
      };
      writeFileSync(join(configDir, 'settings.json'), JSON.stringify(settings));
    });

    const ours = Object.fromEntries([...ownVariables].map((name) => [name, 'ours']));
    let opened: PortSession | undefined;
    const open = (): PortSession =>
      (opened ??= stage().open({
        environment: { ...ours, OF_THE_SERVER: 'yes', CLAUDECODE: '1' },
        options: { allowedTools: ['Bash(touch:*)'] },
      }));

    it("sees the server's environment, the user's settings, and only the depth of our variables", async () => {
      const { model } = stage();
      const session = open();
      model.when('env', [tool('Bash', { command: 'env' }, { id: 'toolu_env' }), text('Seen.')]);

      await session.turn('env');

      const request = model.requests(session.claudeSessionId).at(-1);
      const lines = (request && toolResultText(request, 'toolu_env')?.split('\n')) ?? [];
      const seen = new Map(
        lines.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
      );
      const seenOfOurs = [...seen.keys()].filter(
        (name) => ownVariables.has(name) || /CLAUDE_CODE_MCP/.test(name),
      );
      expect(seenOfOurs).toEqual([depthVariable]);
      expect(seen.get(depthVariable)).toMatch(/^1\b/);
      expect([seen.get('OF_THE_SERVER'), seen.get('FROM_USER_SETTINGS')]).toEqual(['yes', 'yes']);
      expect(session.host.asks).toEqual([]);
    });

    it.runIf(process.platform === 'linux')(
      'collects garbage less often than by default, and its commands do not',
      async () => {
        const { model } = stage();
        const session = open();
        model.when('variables', [tool('Bash', { command: 'env' }, { id: 'toolu_variables' }), text('Seen.')]);

        await session.turn('variables');

        const request = model.requests(session.claudeSessionId).at(-1);
        const interval = /^BUN_GC_TIMER_INTERVAL=.*/m;
        const own = readFileSync(`/proc/${session.process.pid}/environ`, 'utf8').replaceAll('\0', '\n');
        const seen = (request && toolResultText(request, 'toolu_variables')) ?? '';
        expect([own, seen].map((variables) => interval.exec(variables)?.[0])).toEqual([
          'BUN_GC_TIMER_INTERVAL=10000',
          'BUN_GC_TIMER_INTERVAL=',
        ]);
      },
    );

    it("keeps the user's deny rules, even for tools that the caller allowed", async () => {
      const { model, sandbox } = stage();
      const session = open();
      model.when('touch', [
        tool('Bash', { command: 'touch denied.txt' }, { id: 'toolu_denied' }),
        text('Refused.'),
      ]);

      const { report } = await session.turn('touch');

      expect(report).toMatchObject({
        result: 'Refused.',
        permissionDenials: [{ tool_use_id: 'toolu_denied' }],
      });
      expect(existsSync(join(sandbox.project, 'denied.txt'))).toBe(false);
      expect(session.host.asks).toEqual([]);
      expect(session.host.signals).toContainEqual({
        type: 'event',
        event: expect.objectContaining({ type: 'tool_result', toolUseId: 'toolu_denied', isDenied: true }),
      });
    });
  });
}
