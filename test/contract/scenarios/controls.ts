import { writeFileSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGate } from '../../kit/gate.js';
import { gate, text, tool } from '../../kit/model-steps.js';
import type { PortSession } from '../port-session.js';
import type { Stage } from '../stage.js';

/** Controls of a live process, apart from prompts. Skips controls that a backend declares unsupported. */
export function describeControls(stage: () => Stage): void {
  describe('a live process', () => {
    it('continues with the model that it is switched to', async () => {
      const session = stage().shared();
      await session.turn('first');

      await session.process.setModel?.('claude-haiku-4-5');
      const { report } = await session.turn('second');

      expect(report).toMatchObject({ result: 'ok', outcome: 'completed' });
      expect(modelsOf(stage(), session).at(-1)).toBe('claude-haiku-4-5');
    });

    it('continues in the mode that it is switched to, even in the middle of a turn', async () => {
      const { model, sandbox } = stage();
      const session = stage().shared();
      const held = createGate();
      const write = (name: string) => tool('Write', { file_path: join(sandbox.project, name), content: 'a' });
      model.when('write now', [gate(held, write('a.txt')), text('Written.')]);
      const asks = session.host.asks.length;

      const uuid = session.send('write now');
      await held.reached;
      await session.process.setPermissionMode?.('acceptEdits');
      held.open();
      const { report } = await session.result(uuid);
      await session.process.setPermissionMode?.('default');

      expect(report).toMatchObject({ result: 'Written.', outcome: 'completed' });
      expect(session.host.asks).toHaveLength(asks);
    });

    it('rejects a mode that it was not started for, and keeps its own', async () => {
      const session = stage().shared();
      await session.turn('first');

      await expect(session.process.setPermissionMode?.('bypassPermissions')).rejects.toThrow(
        'bypassPermissions',
      );
      const { report } = await session.turn('second');

      expect(report).toMatchObject({ result: 'ok', outcome: 'completed' });
    });

    it('reports its context usage and its MCP servers', async () => {
      const session = stage().shared();
      await session.turn('first');

      const usage = await session.process.contextUsage?.();
      const servers = await session.process.mcpServers?.();

      if (usage !== undefined) expect(usage.maxTokens).toBeGreaterThan(usage.totalTokens);
      if (servers !== undefined) expect(servers).toEqual([]);
    });

    it('restores files, even when it was resumed without a prompt', async () => {
      const { model, sandbox } = stage();
      const path = join(sandbox.project, 'kept.txt');
      writeFileSync(path, 'before\n');
      model.when('change it', [
        tool('Read', { file_path: path }),
        tool('Write', { file_path: path, content: 'after\n' }),
        text('Changed.'),
      ]);
      const options = { enableFileCheckpointing: true, permissionMode: 'acceptEdits' } as const;
      const first = stage().open({ options });
      const uuid = first.send('change it');
      await first.result(uuid);
      await first.process.stop();
      const { claudeSessionId } = first;

      const resumed = stage().open({ claudeSessionId, from: { type: 'resume' }, options });
      const shown = await resumed.process.rewindFiles?.(uuid, { dryRun: true });
      const stillThere = readFileSync(path, 'utf8');
      const unknown = await resumed.process.rewindFiles?.(randomUUID(), { dryRun: true });
      await resumed.process.rewindFiles?.(uuid, { dryRun: false });

      expect(shown).toEqual({ files: [path], insertions: 1, deletions: 1, skippedLinks: 0 });
      expect(stillThere).toBe('after\n');
      expect(unknown).toBeUndefined();
      expect(readFileSync(path, 'utf8')).toBe('before\n');
    });
  });
}

function modelsOf({ model }: Stage, { claudeSessionId }: PortSession): unknown[] {
  return model.requests(claudeSessionId).map(({ body }) => (body as { model?: unknown }).model);
}
