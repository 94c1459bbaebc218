import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useBrowser } from '../../kit/browser.js';
import { createCertificate } from '../../kit/certificate.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { pairClient, pairingLink, runCommand } from '../../kit/page.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { connectHttp, startService } from '../../kit/service.js';
import { isLive } from './visit.js';

const browser = useBrowser();

async function startPage(args: readonly string[] = []) {
  const { model, sandbox } = await startBackstage();
  const service = await startService({ sandbox, model, args, env: { CLAUDE_CODE_MCP_APPROVALS: 'any' } });
  return { model, sandbox, service, origin: new URL(service.url).origin };
}

function tlsArguments(): readonly string[] {
  const { certPath, keyPath } = createCertificate('agents');
  return ['--tls-cert', certPath, '--tls-key', keyPath];
}

async function newPage(): Promise<Page> {
  // Certificates of the tests are signed with their own keys.
  const context = await browser().newContext({ ignoreHTTPSErrors: true });
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Opens a pairing link and waits until the browser is paired. */
async function pairIn(page: Page, sandbox: Sandbox): Promise<void> {
  const link = await pairingLink(sandbox);
  const paired = page.waitForResponse((response) => response.url().endsWith('/api/pair'));
  await page.goto(link.href);
  expect((await paired).status()).toBe(200);
}

/** The status of `me`, asked by the page itself with the key that it keeps. */
async function statusOfMe(page: Page, { withKey = true } = {}): Promise<number> {
  return page.evaluate(`fetch('/api/me', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(${withKey} ? { 'page-key': localStorage.getItem('page-key') } : {}),
    },
    body: '{}',
  }).then(({ status }) => status)`);
}

describe('a browser', () => {
  it.each([
    ['', () => [], { prefix: '', secure: false }],
    [' over TLS', tlsArguments, { prefix: '__Host-', secure: true }],
  ])(
    'is paired by the link of "open"%s, and the code does not stay in the address',
    async (_over, args, { prefix, secure }) => {
      const { sandbox, origin } = await startPage(args());
      const page = await newPage();

      await pairIn(page, sandbox);
      await isLive(page).waitFor();

      expect(page.url()).toBe(`${origin}/#inbox`);
      expect(await statusOfMe(page)).toBe(200);
      expect(await statusOfMe(page, { withKey: false })).toBe(401);
      expect(await page.evaluate('document.cookie')).toBe('');
      expect(await page.context().cookies()).toMatchObject([
        {
          name: `${prefix}claude-code-mcp-${new URL(origin).port}`,
          path: '/',
          httpOnly: true,
          secure,
          sameSite: 'Strict',
        },
      ]);
      expect(await runCommand(sandbox, 'device', 'list')).toContain('owner');
    },
  );
});

describe('a command of a session', () => {
  it('cannot pair a device', async () => {
    const { model, sandbox, service } = await startPage();
    const person = await pairClient(sandbox);
    const entry = join(process.cwd(), 'dist', 'claude-code-mcp.js');
    const open = `CLAUDE_CODE_MCP_STATE_DIR='${sandbox.stateDir}' node ${entry} open --print`;
    const command = `(${open}; env -u CLAUDE_CODE_MCP_DEPTH ${open}) > attack.txt 2>&1`;
    model.when('attack', [tool('Bash', { command }), text('Done.')]);
    const { call } = await connectHttp(service.url, { era: 'modern', token: service.token });

    const asked = await call('claude_code', { prompt: 'attack', cwd: sandbox.project, waitMs: 20_000 });
    const requestId = asked.json.actions?.[0]?.requestId;
    const done = await call('claude_code_respond', { requestId, decision: 'allow' });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    const output = readFileSync(join(sandbox.project, 'attack.txt'), 'utf8');
    expect(output.match(/open: cannot be used inside a session/g)).toHaveLength(2);
    expect(output).not.toContain('#pair=');
    expect(await person.call('devices', {})).toMatchObject({ devices: [{ name: 'Kit' }] });
  });
});
