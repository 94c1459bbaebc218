import { describe, expect, it } from 'vitest';
import { useBrowser } from '../kit/browser.js';
import { FakeHost } from './fake-host.js';
import { commandCard } from './samples.js';

const browser = useBrowser();

const first = commandCard({ requestId: 'r-first' });
const second = commandCard({ requestId: 'r-second', summary: 'Run something else' });

describe('a request in a client with MCP Apps', () => {
  it('ignores Allow when it has just moved to the place of another one', async () => {
    const host = new FakeHost([first, second]);
    const { page, view } = await host.open(browser(), { hasClock: true });
    const allowIn = (requestId: string) =>
      view.locator(`[data-request=${requestId}]`).getByRole('button', { name: 'Allow once' });
    const ready = view.locator('.button.allow[aria-disabled=false]');
    await expect.poll(() => ready.count()).toBe(2);
    const place = await allowIn('r-first').boundingBox();
    const click = () => page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10);
    await page.clock.pauseAt(Date.now() + 2_000);

    host.show([second]);
    await allowIn('r-first').waitFor({ state: 'detached' });
    await click();
    await view.locator('.button.allow[aria-disabled=true]').waitFor();
    const early = [...host.answers];
    await page.clock.runFor(1_000);
    await ready.waitFor();
    await click();
    await view.getByRole('list', { name: 'Sessions' }).getByText('Fix the failing checkout tests').waitFor();

    expect(early).toEqual([]);
    await expect.poll(() => host.answers).toEqual([{ requestId: 'r-second', decision: 'allow' }]);
  });
});

describe('a view', () => {
  it('says why a session cannot be shown, and keeps the requests', async () => {
    const host = new FakeHost([first]);
    const { view } = await host.open(browser());
    await view.getByRole('heading', { name: 'Run npm test' }).waitFor();

    await host.tell({
      method: 'ui/notifications/tool-input',
      params: { arguments: { sessionId: 'unknown' } },
    });
    await view.getByText('This session does not exist.').waitFor();

    expect(await view.locator('.card').count()).toBe(1);
    expect(host.errors).toEqual([]);
  });

  it('selects the session that its host names before the view is connected', async () => {
    const host = new FakeHost([first]);
    host.early = {
      method: 'ui/notifications/tool-input',
      params: { arguments: { sessionId: 'unknown' } },
    };
    const { view } = await host.open(browser());

    await view.getByText('This session does not exist.').waitFor();
    await view.getByRole('heading', { name: 'Run npm test' }).waitFor();

    expect(host.errors).toEqual([]);
  });

  it('says that there are more requests than it shows', async () => {
    const host = new FakeHost([first]);
    host.more = { moreRequests: 3 };
    const { view } = await host.open(browser());

    await view
      .getByText('3 more requests are open. They appear here when you have answered these.')
      .waitFor();
  });

  it('takes Allow away as soon as only people may approve', async () => {
    const host = new FakeHost([first]);
    const { view } = await host.open(browser());
    const allow = view.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();

    host.more = { mayApprove: false };
    host.show([first]);
    await allow.waitFor({ state: 'detached' });

    expect(await view.getByRole('button', { name: 'Deny', exact: true }).count()).toBe(1);
  });

  it('listens to its host only', async () => {
    const host = new FakeHost([first]);
    const { page, view } = await host.open(browser());
    await view.getByRole('heading', { name: 'Run npm test' }).waitFor();
    const forged = JSON.stringify({ ...host.overview(), moreRequests: 9 });
    const message = { jsonrpc: '2.0', result: { content: [{ type: 'text', text: forged }] } };

    await page.evaluate(`
      const other = document.createElement('iframe');
      other.srcdoc = ${JSON.stringify(
        `<script>for (let id = 0; id < 50; id += 1) parent.frames[0].postMessage({ ...${JSON.stringify(message)}, id }, '*'); parent.isDone = true</script>`,
      )};
      document.body.append(other);
    `);
    await page.waitForFunction('window.isDone');
    host.show([second]);
    await view.getByRole('heading', { name: 'Run something else' }).waitFor();

    expect(await view.getByText('9 more requests').count()).toBe(0);
    expect(host.errors).toEqual([]);
  });
});
