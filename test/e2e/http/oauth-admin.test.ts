import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { startIssuer } from '../../kit/issuer.js';
import { text, tool } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';

const audience = 'https://agents.example.com/mcp';

it('an OAuth token cannot reach the sessions of the owner, if no claim is mapped to the owner', async () => {
  const { sandbox, model } = await startBackstage();
  const issuer = await startIssuer();
  const hers = join(sandbox.root, 'alice');
  mkdirSync(hers);
  const path = join(sandbox.root, 'config.json');
  const principals = { alice: { roots: [hers] } };
  writeFileSync(path, JSON.stringify({ approvals: 'any', roots: [sandbox.project], principals }), {
    mode: 0o600,
  });
  const service = await startService({
    sandbox,
    model,
    args: `--config ${path} --accept-shared-uid --oauth-issuer ${issuer.url} --oauth-audience ${audience}`.split(
      ' ',
    ),
  });
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  // The metadata of the service offers these scopes, and clients request what is offered.
  const { origin } = new URL(service.url);
  const metadata = (await (await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).json()) as {
    scopes_supported: string[];
  };
  const token = await issuer.sign({
    iss: issuer.url,
    aud: audience,
    sub: 'alice',
    exp: Math.floor(Date.now() / 1_000) + 600,
    scope: metadata.scopes_supported.join(' '),
  });

  const asOwner = await connectHttp(`${service.url}/owner`, { era: 'modern', token }).catch(() => undefined);
  const asked = await asOwner?.call('claude_code', {
    prompt: 'touch it',
    cwd: sandbox.project,
    allowedTools: ['Bash'],
    waitMs: 20_000,
  });

  expect({ scopes: metadata.scopes_supported, answer: asked?.text.slice(0, 80) }).toMatchObject({
    scopes: ['call', 'approve'],
    answer: undefined,
  });
  expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
});
