import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useBrowser } from '../../kit/browser.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool, tools } from '../../kit/model-steps.js';
import { runCommand } from '../../kit/page.js';
import { connectHttp, startService } from '../../kit/service.js';
import { isLive, outcomeOf, visit } from './visit.js';

const browser = useBrowser();

/** A service on a port that it keeps, so that browsers stay paired. */
async function startDesk() {
  const { model, sandbox } = await startBackstage();
  const args = ['--port', await freePort()];
  const env = { CLAUDE_CODE_MCP_APPROVALS: 'any', CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '20' };
  const start = () => startService({ sandbox, model, args, env });
  const service = await start();
  const connect = () => connectHttp(service.url, { era: 'modern', token: service.token });
  return { model, sandbox, service, restart: start, connect };
}

const banner = 'Not connected. You see the state at';
const signIn = { name: 'Sign in to watch your sessions' };

it('two devices share 20 requests; one misses a minute, and is revoked while it is open', async () => {
  const { model, sandbox, connect } = await startDesk();
  const names = Array.from({ length: 20 }, (_, index) => `file-${String(index + 1).padStart(2, '0')}.txt`);
  for (const name of names) writeFileSync(join(sandbox.root, name), name);
  model.when('read all', [
    tools(names.map((name) => tool('Read', { file_path: join(sandbox.root, name) }))),
    text('Read.'),
  ]);
  const { call } = await connect();
  const first = await visit(browser(), sandbox);
  const second = await visit(browser(), sandbox, { hasClock: true });
  const titles = async () => [await first.page.title(), await second.page.title()];

  await call('claude_code', { prompt: 'read all', cwd: sandbox.project, waitMs: 0 });
  await expect.poll(titles, { timeout: 20_000 }).toEqual(Array(2).fill('(20) Claude Code sessions'));
  const own = await first.press('file-07.txt', 'Allow once');
  const others = await outcomeOf(await second.open('file-07.txt'));
  await second.page.context().setOffline(true);
  await second.page.clock.fastForward(60_000);
  await second.page.getByText(banner).waitFor();
  await first.press('file-13.txt', 'Deny');
  await second.page.context().setOffline(false);
  await second.page.clock.fastForward(11_000);
  await isLive(second.page).waitFor();
  await second.page.getByText(banner).waitFor({ state: 'detached' });
  const missed = await outcomeOf(await second.open('file-13.txt'));
  const afterMinute = await titles();
  await runCommand(sandbox, 'device', 'revoke', 'Chrome on Linux 2');
  await second.page.getByRole('heading', signIn).waitFor();

  expect([own, others]).toEqual([
    'Allowed. By you, on this device',
    'Allowed. By a person on “Chrome on Linux”',
  ]);
  expect(missed).toBe('Denied. By a person on “Chrome on Linux”');
  expect(afterMinute).toEqual(Array(2).fill('(18) Claude Code sessions'));
  expect(await second.page.getByText('file-').count()).toBe(0);
  expect(await isLive(first.page).count()).toBe(1);
  expect([...first.errors, ...second.errors]).toEqual([]);
}, 60_000);

it('a restart of the server ends its open requests, and the page connects to the new one by itself', async () => {
  const { model, sandbox, service, connect, restart } = await startDesk();
  model.when('touch old', [tool('Bash', { command: 'touch old.txt' }), text('Old.')]);
  model.when('touch new', [tool('Bash', { command: 'touch new.txt' }), text('New.')]);
  const { page, errors, open, press } = await visit(browser(), sandbox);
  const before = await connect();
  const old = await before.call('claude_code', { prompt: 'touch old', cwd: sandbox.project, waitMs: 20_000 });
  const card = await open('touch old.txt');
  const atFirst = await page.title();

  service.kill('SIGTERM');
  await service.exited;
  await page.locator('.link-state.lost').waitFor();
  await restart();
  await isLive(page).waitFor();
  const outcome = await card.locator('.outcome').innerText();
  const inBetween = await page.title();
  const after = await connect();
  const fresh = await after.call('claude_code', {
    prompt: 'touch new',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const allowed = await press('touch new.txt', 'Allow once');
  const done = await after.call('claude_code_check', { sessionId: fresh.json.sessionId, waitMs: 20_000 });

  expect([atFirst, inBetween]).toEqual(['(1) Claude Code sessions', 'Claude Code sessions']);
  expect(outcome).toContain('Denied\nBy the shutdown of the server');
  expect(allowed).toBe('Allowed. By you, on this device');
  expect(done.json).toMatchObject({ status: 'idle', result: { result: 'New.' } });
  expect([
    existsSync(join(sandbox.project, 'old.txt')),
    existsSync(join(sandbox.project, 'new.txt')),
  ]).toEqual([false, true]);
  expect(old.json.status).toBe('waiting');
  expect(errors).toEqual([]);
});

it('hostile text is shown as text, whole, and a request that expires says so', async () => {
  const { model, sandbox, connect } = await startDesk();
  const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  // Claude Code itself refuses such characters in commands.
  const content = `${markup} \u202Egnp.exe\u202C \u001B[31mred\u001B[0m ${'x'.repeat(50_000)} end`;
  const file = join(sandbox.project, 'hostile.txt');
  model.when('hostile', [
    tool('Write', { file_path: file, content }),
    text(`${content.slice(0, 90)} *over*`),
  ]);
  const { call } = await connect();
  const { page, errors, open } = await visit(browser(), sandbox);

  await call('claude_code', {
    prompt: `hostile ${markup}`,
    cwd: sandbox.project,
    permissionRequestTimeoutMs: 4_000,
    waitMs: 0,
  });
  const card = await open('hostile.txt');
  await card.getByRole('button', { name: /^Show all/ }).click();
  const shown = await card.locator('.diff .add code').innerText();
  const outcome = await outcomeOf(card);
  await card.getByRole('link').click();
  await page.getByRole('log').getByText('over', { exact: true }).waitFor();
  const timeline = await page.getByRole('log').innerText();

  expect(shown.replace(' no newline at the end', '')).toBe(
    String.raw`${markup} \u{202e}gnp.exe\u{202c} \u{1b}[31mred\u{1b}[0m ${'x'.repeat(50_000)} end`,
  );
  expect(outcome).toBe('Denied. By the deadline');
  expect(timeline.match(/<img src=x onerror=alert\(1\)><script>/g)).toHaveLength(2);
  expect(timeline).toContain('Denied by the deadline');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(existsSync(file)).toBe(false);
  expect(errors).toEqual([]);
});

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
