import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { useBrowser } from '../../kit/browser.js';
import { startBackstage } from '../../kit/fixture.js';
import { pairingLink, runCommand } from '../../kit/page.js';
import { Scrape } from '../../kit/scrape.js';
import { startService } from '../../kit/service.js';

const browser = useBrowser();

/** What the page itself sends, with the cookie and the key that the browser has kept. */
const ask = `fetch('/api/devices', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    ...('page-key' in localStorage && { 'page-key': localStorage.getItem('page-key') }),
  },
  body: '{}',
}).then(({ status }) => status)`;

it('a used link, a revoked device and a browser without one are refused, counted and audited', async () => {
  const { sandbox } = await startBackstage();
  const auditLog = join(sandbox.root, 'audit.jsonl');
  const service = await startService({ sandbox, env: { CLAUDE_CODE_MCP_AUDIT_LOG: auditLog } });
  const { origin } = new URL(service.url);
  const newPage = async () => {
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    return context.newPage();
  };
  const [mine, other] = [await newPage(), await newPage()];
  const link = await pairingLink(sandbox);

  await mine.goto(link.href);
  await mine.getByText('All clear').waitFor();
  await other.goto(link.href);
  const usedLink = await other.getByRole('alert').innerText();
  const stranger = await other.evaluate(ask);
  const paired = await mine.evaluate(ask);
  await runCommand(sandbox, 'device', 'revoke', 'Chrome on Linux');
  await mine.getByRole('heading', { name: 'Sign in to watch your sessions' }).waitFor();
  const revoked = await mine.evaluate(ask);
  const headers = { authorization: `Bearer ${service.token ?? ''}` };
  const scrape = new Scrape(await (await fetch(`${origin}/metrics`, { headers })).text());
  service.kill('SIGTERM');
  await service.exited;
  const audited = readFileSync(auditLog, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ what }) => what === 'request_refused')
    .map(({ reason }) => reason);

  expect(usedLink).toContain('This link was already used');
  expect({ stranger, paired, revoked }).toEqual({ stranger: 401, paired: 200, revoked: 401 });
  expect(scrape.counts('claude_code_mcp_http_refusals_total')).toEqual({
    wrong_code: 1,
    no_device: 1,
    // The page has noticed the revocation, too.
    wrong_device: expect.any(Number),
  });
  expect(new Set(audited)).toEqual(new Set(['wrong_code', 'no_device', 'wrong_device']));
});
