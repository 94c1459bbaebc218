import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser, useBrowser } from '../../kit/browser.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { pairClient, pairingLink, runCommand } from '../../kit/page.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { connectHttp, startService } from '../../kit/service.js';

const browser = useBrowser();

async function startPage() {
  const { model, sandbox } = await startBackstage();
  const auditLog = join(sandbox.root, 'audit.jsonl');
  const env = { CLAUDE_CODE_MCP_AUDIT_LOG: auditLog, CLAUDE_CODE_MCP_APPROVALS: 'any' };
  const service = await startService({ sandbox, model, env });
  return { model, sandbox, service, origin: new URL(service.url).origin, auditLog };
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

/** Another website on this machine. */
async function otherSite(html: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Reasons and paths of the refused requests in the audit log, once the service has exited. */
async function refusals({ service, auditLog }: Awaited<ReturnType<typeof startPage>>): Promise<unknown[]> {
  service.kill('SIGTERM');
  await service.exited;
  const lines = readFileSync(auditLog, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { what?: string; reason?: string; path?: string })
    .filter(({ what }) => what === 'request_refused')
    .map(({ reason, path }) => `${reason} ${path}`);
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

  it('opens the page from a link on another site, but shows it in no frame', async () => {
    const started = await startPage();
    const { origin } = started;
    const site = await otherSite(`<a href="${origin}/#request=x">link</a><iframe src="${origin}/"></iframe>`);
    const page = await newPage();
    const framed = page.waitForResponse((response) => response.url() === `${origin}/`);

    await page.goto(site);
    const frame = await framed;
    await page.click('a');
    await page.waitForURL(`${origin}/**`);

    expect(frame.status()).toBe(403);
    expect(await page.title()).toBe('Claude Code sessions');
    expect(await refusals(started)).toContain('foreign_page /');
  });

  it('does not let a page of another origin use the cookie that it sends', async () => {
    const started = await startPage();
    const { sandbox, origin } = started;
    const page = await newPage();
    await pairIn(page, sandbox);
    const key = await page.evaluate<string>("localStorage.getItem('page-key')");
    await page.goto(await otherSite('<title>other</title>'));

    const seen = await page.evaluate<string>(`(async () => {
      const send = (init) => fetch('${origin}/api/me', { method: 'POST', credentials: 'include', ...init })
        .then(({ type, status }) => type + ' ' + status, ({ name }) => name);
      return [
        await send({ headers: { 'content-type': 'application/json', 'page-key': '${key}' }, body: '{}' }),
        await send({ mode: 'no-cors', body: '{}' }),
        localStorage.getItem('page-key'),
      ].join();
    })()`);

    expect(seen).toBe('TypeError,TypeError,');
    expect(await refusals(started)).toContain('foreign_page /api/me');
  });

  it('does not reach the page by the name of another host', async () => {
    const started = await startPage();
    const rebound = await launchBrowser(['--host-resolver-rules=MAP evil.example.com 127.0.0.1']);
    onTestFinished(() => rebound.close());
    const page = await rebound.newPage();

    const answer = await page.goto(`http://evil.example.com:${new URL(started.origin).port}/`);

    expect(answer?.status()).toBe(421);
    expect(await refusals(started)).toContain('foreign_host /');
  });
});

describe('a command of a session', () => {
  it('cannot use the page: it has no device, and cannot pair one', async () => {
    const started = await startPage();
    const { model, sandbox, service, origin } = started;
    const person = await pairClient(sandbox);
    const entry = join(process.cwd(), 'dist', 'claude-code-mcp.js');
    const post = `curl -s -o /dev/null -w '%{http_code} ' -X POST -H 'content-type: application/json'`;
    const command = [
      `${post} -d '{"requestId":"r","decision":"allow"}' ${origin}/api/answer`,
      `${post} -d '{"code":"guess","name":"x"}' ${origin}/api/pair`,
      `curl -s -o /dev/null -w '%{http_code} ' ${origin}/api/stream`,
      `CLAUDE_CODE_MCP_STATE_DIR='${sandbox.stateDir}' node ${entry} open --print`,
      `env -u CLAUDE_CODE_MCP_DEPTH CLAUDE_CODE_MCP_STATE_DIR='${sandbox.stateDir}' node ${entry} open --print`,
    ].join('; ');
    model.when('attack', [tool('Bash', { command: `(${command}) > attack.txt 2>&1` }), text('Done.')]);
    const { call } = await connectHttp(service.url, { era: 'modern', token: service.token });

    const asked = await call('claude_code', { prompt: 'attack', cwd: sandbox.project, waitMs: 20_000 });
    const requestId = asked.json.actions?.[0]?.requestId;
    const done = await call('claude_code_respond', { requestId, decision: 'allow' });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    const output = readFileSync(join(sandbox.project, 'attack.txt'), 'utf8');
    expect(output).toMatch(/^401 401 401 /);
    expect(output.match(/open: cannot be used inside a session/g)).toHaveLength(2);
    expect(output).not.toContain('#pair=');
    expect(await person.call('devices', {})).toMatchObject({ devices: [{ name: 'Kit' }] });
    expect(await refusals(started)).toEqual([
      'no_device /api/answer',
      'wrong_code /api/pair',
      // The stream: the second refusal of the same kind is counted, not listed.
      'no_device /api/answer',
    ]);
  });
});
