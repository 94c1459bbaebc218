import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { useBrowser } from '../../kit/browser.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { pairingLink, runCommand } from '../../kit/page.js';
import { Scrape } from '../../kit/scrape.js';
import { connectHttp, startService } from '../../kit/service.js';

/** A name of another site that leads to this machine, as after DNS rebinding. */
const rebound = 'evil.example.com';
const browser = useBrowser([`--host-resolver-rules=MAP ${rebound} 127.0.0.1`]);
/** The browser asks for the icon of that site, too, at a time of its own. */
const late = 'foreign_host';
const counter = 'claude_code_mcp_http_refusals_total';

async function startPage() {
  const { model, sandbox } = await startBackstage();
  const auditLog = join(sandbox.root, 'audit.jsonl');
  const env = { CLAUDE_CODE_MCP_AUDIT_LOG: auditLog, CLAUDE_CODE_MCP_APPROVALS: 'any' };
  const service = await startService({ sandbox, model, env });
  return { model, sandbox, service, origin: new URL(service.url).origin, auditLog };
}

type Started = Awaited<ReturnType<typeof startPage>>;

async function newPage(): Promise<Page> {
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

/** What the page itself sends, with the cookie and the key that the browser has kept. */
const ask = `fetch('/api/devices', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    ...('page-key' in localStorage && { 'page-key': localStorage.getItem('page-key') }),
  },
  body: '{}',
}).then(({ status }) => status)`;

/** Another website on this machine. */
async function otherSite(html: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Another site uses the cookie of a browser that is signed in, and even its key. */
async function fromAnotherOrigin(page: Page, origin: string): Promise<string> {
  const key = await page.evaluate<string>("localStorage.getItem('page-key')");
  await page.goto(await otherSite('<title>other</title>'));
  return page.evaluate<string>(`(async () => {
    const send = (init) => fetch('${origin}/api/me', { method: 'POST', credentials: 'include', ...init })
      .then(({ type, status }) => type + ' ' + status, ({ name }) => name);
    return [
      await send({ headers: { 'content-type': 'application/json', 'page-key': '${key}' }, body: '{}' }),
      await send({ mode: 'no-cors', body: '{}' }),
      localStorage.getItem('page-key'),
    ].join();
  })()`);
}

/** Another site shows the page in a frame. A link on it leads to the page all the same. */
async function inFrame(page: Page, origin: string): Promise<readonly [number, string]> {
  const framed = page.waitForResponse((response) => response.url() === `${origin}/`);
  const link = `<a href="${origin}/#request=x">link</a>`;
  await page.goto(await otherSite(`${link}<iframe src="${origin}/"></iframe>`));
  const frame = await framed;
  await page.click('a');
  await page.getByRole('heading', { name: 'Sign in to watch your sessions' }).waitFor();
  return [frame.status(), await page.title()];
}

/** A session runs this command with the approval of its caller. */
async function fromBash({ model, sandbox, service, origin }: Started): Promise<string> {
  const post = `curl -s -o /dev/null -w '%{http_code} ' -X POST -H 'content-type: application/json'`;
  const command = [
    `${post} -d '{"requestId":"r","decision":"allow"}' ${origin}/api/answer`,
    `${post} -d '{"code":"guess","name":"x"}' ${origin}/api/pair`,
    `curl -s -o /dev/null -w '%{http_code} ' ${origin}/api/stream`,
  ].join('; ');
  model.when('attack', [tool('Bash', { command: `(${command}) > attack.txt 2>&1` }), text('Done.')]);
  const { call } = await connectHttp(service.url, { era: 'modern', token: service.token });
  const asked = await call('claude_code', { prompt: 'attack', cwd: sandbox.project, waitMs: 20_000 });
  const requestId = asked.json.actions?.[0]?.requestId;
  await call('claude_code_respond', { requestId, decision: 'allow' });
  return readFileSync(join(sandbox.project, 'attack.txt'), 'utf8');
}

/** The refusals in the audit log, by reason, once the service has exited. */
async function audited({ service, auditLog }: Started): Promise<Readonly<Record<string, number>>> {
  service.kill('SIGTERM');
  await service.exited;
  const counts: Record<string, number> = {};
  for (const line of readFileSync(auditLog, 'utf8').trim().split('\n')) {
    const { what, reason, count } = JSON.parse(line) as { what: string; reason: string; count: number };
    if (what === 'request_refused') counts[reason] = (counts[reason] ?? 0) + count;
  }
  return counts;
}

it('every way past the sign-in is refused, counted in the metrics and audited', async () => {
  const started = await startPage();
  const { sandbox, service, origin } = started;
  const [mine, other, foreign] = [await newPage(), await newPage(), await newPage()];
  const link = await pairingLink(sandbox);
  await mine.goto(link.href);
  await mine.getByText('All clear').waitFor();
  const headers = { authorization: `Bearer ${service.token ?? ''}` };
  let before: Readonly<Record<string, number>> = {};
  const steps: Record<string, unknown> = {};
  const attempt = async (name: string, send: () => Promise<unknown>): Promise<void> => {
    const seen = await send();
    const scraped = await (await fetch(`${origin}/metrics`, { headers })).text();
    const counts = new Scrape(scraped).counts(counter);
    const added = Object.entries(counts).map(([reason, count]) => [reason, count - (before[reason] ?? 0)]);
    steps[name] = [
      seen,
      Object.fromEntries(added.filter(([reason, count]) => reason !== late && count !== 0)),
    ];
    before = counts;
  };

  await attempt('used code', async () => {
    await other.goto(link.href);
    return other.getByRole('alert').innerText();
  });
  await attempt('no cookie', () => other.evaluate(ask));
  await attempt('frame', () => inFrame(foreign, origin));
  await attempt('rebinding', async () => {
    const answer = await foreign.goto(origin.replace('127.0.0.1', rebound));
    return answer?.status();
  });
  await attempt('Bash of a session', () => fromBash(started));
  await attempt('a paired browser', () => mine.evaluate(ask));
  await attempt('other origin', () => fromAnotherOrigin(mine, origin));
  await mine.goto(origin);
  await mine.getByText('All clear').waitFor();
  await attempt('stale cookie', async () => {
    await runCommand(sandbox, 'device', 'revoke', 'Chrome on Linux');
    await mine.getByRole('heading', { name: 'Sign in to watch your sessions' }).waitFor();
    return mine.evaluate(ask);
  });

  expect(steps).toEqual({
    'used code': [expect.stringContaining('This link was already used'), { wrong_code: 1 }],
    'no cookie': [401, { no_device: 1 }],
    // After the link, the page has found out that this browser is not signed in.
    frame: [[403, 'Claude Code sessions'], { foreign_page: 1, no_device: 1 }],
    rebinding: [421, {}],
    'Bash of a session': ['401 401 401 ', { no_device: 2, wrong_code: 1 }],
    'a paired browser': [200, {}],
    'other origin': ['TypeError,TypeError,', { foreign_page: 2 }],
    // The page has noticed the revocation, too.
    'stale cookie': [401, { wrong_device: expect.any(Number) }],
  });
  expect(before[late]).toBeGreaterThan(0);
  expect(await audited(started)).toEqual(before);
}, 60_000);
