import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeTokens } from '../../../src/app/compose-tokens.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { connectHttp, startService } from '../../kit/service.js';
import { toolResultText } from '../../kit/tool-result.js';

/** Writes a config file with two principals beside the owner. */
function configure({ root, project }: Sandbox): readonly string[] {
  const roots = (name: string): string[] => {
    mkdirSync(join(root, name));
    return [join(root, name)];
  };
  const apiKeyFile = join(root, 'alice.key');
  writeFileSync(apiKeyFile, 'sk-of-alice\n', { mode: 0o600 });
  const principals = { alice: { roots: roots('alice'), apiKeyFile }, bob: { roots: roots('bob') } };
  const path = join(root, 'config.json');
  writeFileSync(path, JSON.stringify({ approvals: 'any', roots: [project], principals }), { mode: 0o600 });
  return ['--config', path];
}

describe('several principals of one service', () => {
  it('have their own Claude Code, key, environment and sessions', async () => {
    const { model, sandbox } = await startBackstage();
    const command = 'echo "$CLAUDE_CONFIG_DIR|$ANTHROPIC_API_KEY|$OPERATOR_SECRET"';
    model.when('look', [tool('Bash', { command }, { id: 'looked' }), text('Done.')]);
    const tokens = composeTokens(sandbox.stateDir);
    const tokenFor = (principal: string): Promise<string> =>
      tokens.create({ name: principal, principal, scopes: ['call', 'approve'], now: Date.now() });
    const [hers, his] = [await tokenFor('alice'), await tokenFor('bob')];
    const { url } = await startService({
      sandbox,
      model,
      env: { OPERATOR_SECRET: 'of the operator' },
      args: [...configure(sandbox), '--accept-shared-uid'],
    });
    const alice = await connectHttp(url, { era: 'modern', token: hers });
    const bob = await connectHttp(url, { era: 'legacy', token: his });

    const seen: string[] = [];
    const keys: unknown[] = [];
    const ids: string[] = [];
    for (const { call } of [alice, bob]) {
      const asked = await call('claude_code', { prompt: 'look', waitMs: 20_000 });
      const { sessionId, actions } = asked.json;
      const done = await call('claude_code_respond', {
        requestId: actions?.[0]?.requestId,
        decision: 'allow',
      });
      expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
      const [first, second] = model.requests(sessionId);
      ids.push(sessionId);
      keys.push(first?.headers['x-api-key']);
      seen.push((second && toolResultText(second, 'looked')) ?? '');
    }
    const foreign = await bob.call('claude_code_check', { sessionId: ids[0] });

    const folderOf = (name: string): string => join(sandbox.stateDir, 'principals', name, 'claude');
    expect(seen).toEqual([`${folderOf('alice')}|sk-of-alice|`, `${folderOf('bob')}|sk-fake-for-tests|`]);
    expect(keys).toEqual(['sk-of-alice', 'sk-fake-for-tests']);
    expect(readdirSync(join(folderOf('alice'), 'projects'))).toHaveLength(1);
    expect(foreign.text).toMatch(/^Error \[SESSION_NOT_FOUND\]/);
  });

  it('need consent to run as one user of the system', async () => {
    const { sandbox } = await startBackstage();

    const started = startService({ sandbox, args: configure(sandbox) });

    await expect(started).rejects.toThrow(
      /The service exited with 2\.\nclaude-code-mcp: 3 principals .* separated at the API only/,
    );
  });
});
