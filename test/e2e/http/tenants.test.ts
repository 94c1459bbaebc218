import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeTokens } from '../../../src/app/service/compose-tokens.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { connectHttp, startService } from '../../kit/service.js';
import { toolResultText } from '../../kit/tool-result.js';

/** Writes a config file with two principals beside the owner. Only Alice has a key. */
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

/** What Claude Code keeps for the owner: a login, a rule and a note to every session. */
function settleOwner({ configDir }: Sandbox): void {
  const claudeAiOauth = {
    accessToken: 'sk-ant-oat01-of-the-owner',
    refreshToken: 'none',
    expiresAt: Date.now() + 3_600_000,
    scopes: ['user:inference'],
    subscriptionType: 'max',
  };
  writeFileSync(join(configDir, '.credentials.json'), JSON.stringify({ claudeAiOauth }), { mode: 0o600 });
  writeFileSync(join(configDir, 'settings.json'), JSON.stringify({ permissions: { allow: ['Bash'] } }));
  writeFileSync(join(configDir, 'CLAUDE.md'), 'The owner likes herons.');
}

describe('several principals of one service', () => {
  it('have their own Claude Code, login, environment and sessions', async () => {
    const { model, sandbox } = await startBackstage();
    settleOwner(sandbox);
    const command = 'echo "$CLAUDE_CONFIG_DIR|$ANTHROPIC_API_KEY|$OPERATOR_SECRET"';
    model.when('look', [tool('Bash', { command }, { id: 'looked' }), text('Done.')]);
    const tokens = composeTokens(sandbox.stateDir);
    const tokenFor = (principal: string): Promise<string> =>
      tokens.create({ name: principal, principal, scopes: ['call', 'approve'], now: Date.now() });
    const [hers, his] = [await tokenFor('alice'), await tokenFor('bob')];
    const { url } = await startService({
      sandbox,
      model,
      env: { ANTHROPIC_API_KEY: '', OPERATOR_SECRET: 'of the operator' },
      args: [...configure(sandbox), '--accept-shared-uid'],
    });
    const alice = await connectHttp(url, { era: 'modern', token: hers });
    const bob = await connectHttp(url, { era: 'legacy', token: his });

    const asked = await alice.call('claude_code', { prompt: 'look', waitMs: 20_000 });
    const { sessionId, actions } = asked.json;
    const requestId = actions?.[0]?.requestId;
    const foreign = await bob.call('claude_code_respond', { sessionId, requestId, decision: 'allow' });
    const done = await alice.call('claude_code_respond', { requestId, decision: 'allow' });
    const bobs = await bob.call('claude_code', { prompt: 'look', waitMs: 20_000 });

    const [first, second] = model.requests(sessionId);
    const seen = second && toolResultText(second, 'looked');
    expect(foreign.text).toMatch(/^Error \[SESSION_NOT_FOUND\]/);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(seen).toBe(`${join(sandbox.stateDir, 'principals', 'alice', 'claude')}|sk-of-alice|`);
    expect(first?.headers['x-api-key']).toBe('sk-of-alice');
    expect(JSON.stringify(first?.body)).not.toContain('herons');
    expect(bobs.text).toBe(
      'Error [UNAVAILABLE]: Claude Code is not signed in. Ask the operator of this service to sign Claude Code in for you, or to give you an API key (apiKeyFile); then try again.',
    );
    expect(model.requests().every(({ headers }) => headers['x-api-key'] === 'sk-of-alice')).toBe(true);
  });

  it('need consent to run as one user of the system', async () => {
    const { sandbox } = await startBackstage();

    const started = startService({ sandbox, args: configure(sandbox) });

    await expect(started).rejects.toThrow(
      /The service exited with 2\.\nclaude-code-mcp: 3 principals .* separated at the API only/,
    );
  });
});
