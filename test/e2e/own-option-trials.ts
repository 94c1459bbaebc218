import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { InProcessScene, InProcessServer } from '../kit/in-process.js';
import { stall, text, tool } from '../kit/model-steps.js';
import type { ToolReply } from '../kit/server-client.js';

/** Options that this server applies or refuses itself: no real Claude Code is needed to see them. */
export const ownTrials = {
  async permissionRequestTimeoutMs({ server, model, clock }: InProcessScene) {
    model.when('touch', [tool('Bash', { command: 'touch a' }), text('done')]);

    const [short, usual] = await Promise.all([
      start(server, 'touch', {}, { permissionRequestTimeoutMs: 20_000 }),
      start(server, 'touch', {}),
    ]);

    const left = [short, usual].map(
      ({ json }) => Date.parse(json.actions?.[0]?.expiresAt ?? '') - clock.now(),
    );
    expect(left[0]).toBeLessThanOrEqual(20_000);
    expect(left[1]).toBeGreaterThan(200_000);
  },

  async timeoutMs({ server, model, clock }: InProcessScene) {
    model.when('wait', [stall()]);

    const waiting = start(server, 'wait', { timeoutMs: 1_000 });
    await clock.pass(1_000);
    const { json } = await waiting;

    expect(json).toMatchObject({ status: 'error', result: { errorSubtype: 'time_limit' } });
  },

  pathToClaudeCodeExecutable: ({ server, sandbox }: InProcessScene) =>
    isRefused(server, 'pathToClaudeCodeExecutable', join(sandbox.root, 'claude')),
  slashCommands: ({ server }: InProcessScene) => isRefused(server, 'slashCommands', true),
  debug: ({ server }: InProcessScene) => isRefused(server, 'debug', true),
  async debugFile({ server, sandbox }: InProcessScene) {
    const file = join(sandbox.root, 'debug.log');

    await isRefused(server, 'debugFile', file);

    expect(existsSync(file)).toBe(false);
  },
} satisfies Record<string, (scene: InProcessScene) => Promise<void>>;

function start(
  server: InProcessServer,
  prompt: string,
  advanced: Record<string, unknown>,
  top: Record<string, unknown> = {},
): Promise<ToolReply> {
  return server.call('claude_code', { prompt, waitMs: 20_000, advanced, ...top });
}

/** Only the operator can let a caller have it. The end-to-end tests of trust show its effect. */
async function isRefused(server: InProcessServer, option: string, value: unknown): Promise<void> {
  const { text: answer } = await start(server, 'hello', { [option]: value });

  expect(answer).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_CALLER_TRUST=full/);
  expect(answer).toContain(`callers may not set ${option}: it `);
}
