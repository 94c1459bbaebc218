/** The page of a built service with a real Claude Code: how soon its requests are visible. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { text, tool } from '../kit/model-steps.js';
import { pairClient, pairingLink } from '../kit/page.js';
import { serverEntry } from '../kit/server-entry.js';
import type { Sandbox } from '../kit/sandbox.js';
import { until } from '../kit/until.js';
import { desk } from '../web/browser.js';
import { paintClock, paintTime } from './page-paint.js';
import { withStage } from './stage.js';

const REQUESTS = 20;

/** The time of each request, in milliseconds. */
export function measureLive(browser: Browser): Promise<readonly number[]> {
  return withStage(async ({ sandbox, model }) => {
    const stop = await serve(sandbox, model);
    const context = await browser.newContext(desk);
    try {
      const person = await pairClient(sandbox);
      await context.addInitScript(paintClock);
      const page = await context.newPage();
      await page.goto((await pairingLink(sandbox)).href);
      await page.getByText('All clear').waitFor();
      model.when('ask', [tool('Bash', { command: 'touch a.txt' }), text('Denied.')]);
      const times: number[] = [];
      let sessionId: string | undefined;
      while (times.length < REQUESTS) {
        if (sessionId === undefined)
          sessionId = (await person.call('start', { prompt: 'ask', folder: sandbox.project })).sessionId;
        else await person.call('reply', { sessionId, prompt: 'ask', whenBusy: 'queue' });
        const card = page.locator('article.card.open');
        const requestId = (await card.getAttribute('data-request')) ?? '';
        times.push(await paintTime(page, requestId));
        await person.call('answer', { requestId, decision: 'deny' });
        await page.getByRole('button', { name: 'Clear 1 answered' }).click();
        await page.getByText('All clear').waitFor();
        const id = sessionId;
        await until('the turn ends', async () => {
          const { row } = await person.call('session', { sessionId: id });
          return row.status === 'idle' || undefined;
        });
      }
      return times;
    } finally {
      await context.close();
      await stop();
    }
  });
}

async function serve(sandbox: Sandbox, model: { readonly url: string }): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [serverEntry, 'serve', '--port', '0', '--json'], {
    env: { ...sandbox.env(model), LOG_LEVEL: 'error' },
    cwd: sandbox.project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(createInterface(child.stdout), 'line');
  return async () => {
    child.kill('SIGTERM');
    await exited;
  };
}
