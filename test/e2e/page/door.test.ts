import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useBrowser } from '../../kit/browser.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { pairClient, pairingLink, runCommand } from '../../kit/page.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { connectHttp, startService } from '../../kit/service.js';

const browser = useBrowser();

async function startPage() {
  const { model, sandbox } = await startBackstage();
  const service = await startService({ sandbox, model, env: { CLAUDE_CODE_MCP_APPROVALS: 'any' } });
  return { model, sandbox, service, origin: new URL(service.url).origin };
}

async function newPage(): Promise<Page> {
  const context = await browser().newContext();
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
  it('is paired by the link of "open", and the code does not stay in the address', async () => {
    const { sandbox, origin } = await startPage();
    const page = await newPage();

    await pairIn(page, sandbox);

    await page.waitForURL((url) => !url.hash.includes('pair'));
    expect(page.url()).toMatch(new RegExp(`^${origin}/`));
    expect(await statusOfMe(page)).toBe(200);
    expect(await statusOfMe(page, { withKey: false })).toBe(401);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await runCommand(sandbox, 'device', 'list')).toContain('owner');
  });
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
