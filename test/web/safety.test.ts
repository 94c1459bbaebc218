import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whatOf } from '../../src/page/what.js';
import { useBrowser } from '../kit/browser.js';
import { desk, openPage, phone } from './browser.js';
import { FakeDoor } from './fake-door.js';
import { commandCard, editCard, mcpCard, planCard } from './samples.js';

const browser = useBrowser();
let door: FakeDoor;

beforeEach(async () => {
  door = await FakeDoor.start();
});
afterEach(() => door.close());

/** Once the page listens, so that only the test moves time. */
async function stopClock(page: Page): Promise<void> {
  await page.locator('.link-state.live').waitFor();
  await page.clock.pauseAt(Date.now() + 2000);
}

describe('a card that has just appeared', () => {
  it('ignores Allow for half a second, and takes it afterwards', async () => {
    const { page } = await openPage(browser(), door, '', { ...desk, hasClock: true });
    const allow = page.getByRole('button', { name: 'Allow once' });
    await stopClock(page);
    door.ask(commandCard());
    await allow.waitFor();

    await page.clock.runFor(450);
    await allow.click({ force: true });
    const early = await allow.getAttribute('aria-disabled');
    await page.clock.runFor(100);
    await allow.click();
    await page.getByText('By you, on this device').waitFor();

    expect(early).toBe('true');
    expect(door.answers).toHaveLength(1);
  });

  it('is denied at once', async () => {
    const { page } = await openPage(browser(), door, '', { ...desk, hasClock: true });
    await stopClock(page);
    door.ask(commandCard());

    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'deny' }]);
  });

  it('becomes inert again when its request changes', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door, '', { ...desk, hasClock: true });
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.and(page.locator('[aria-disabled=false]')).waitFor();
    await stopClock(page);
    const before = await allow.getAttribute('aria-disabled');

    door.send({ type: 'asked', card: commandCard({ summary: 'Run something else' }) });
    await page.getByRole('heading', { name: 'Run something else' }).waitFor();

    expect([before, await allow.getAttribute('aria-disabled')]).toEqual(['false', 'true']);
  });

  it('becomes inert again when its window comes to the front, as after a double click elsewhere', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door, '', { ...desk, hasClock: true });
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.and(page.locator('[aria-disabled=false]')).waitFor();
    await stopClock(page);

    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await allow.and(page.locator('[aria-disabled=true]')).waitFor();
    await allow.click({ force: true });
    const early = [...door.answers];
    await page.clock.runFor(600);
    await allow.click();
    await page.getByText('By you, on this device').waitFor();

    expect(early).toEqual([]);
    expect(door.answers).toHaveLength(1);
  });

  it('never has the focus on Allow', async () => {
    door.cards = [commandCard(), editCard()];
    const { page } = await openPage(browser(), door);
    await page.getByRole('heading', { name: 'Run npm test' }).waitFor();

    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Edit /home/alice/shop/src/cart/total.ts' }).waitFor();

    expect(await page.evaluate('document.activeElement.id')).toBe('title-r-edit');
  });
});

describe('a window that is too low for a request', () => {
  it('shows its buttons only below what runs: another site chooses the size of the windows that it opens', async () => {
    const height = 300;
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door, '', { viewport: { width: 1200, height } });
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();

    const command = await page.getByLabel('Command', { exact: true }).boundingBox();
    const button = await allow.boundingBox();

    expect(command?.y).toBeLessThan(button?.y ?? 0);
    expect(button?.y).toBeGreaterThan(height);
  });
});

describe('the list', () => {
  it.each([
    ['a wide screen', desk],
    ['a phone', phone],
  ])('does not move on %s when requests come and go', async (_, options) => {
    door.cards = [commandCard(), editCard(), planCard()];
    const { page } = await openPage(browser(), door, '', options);
    const plan = page.locator('a.item', { hasText: 'Review a plan' });
    const before = await plan.boundingBox();

    door.settle({
      requestId: 'r-command',
      sessionId: 's-shop',
      decision: 'allow',
      by: 'rule',
      at: Date.now(),
    });
    door.ask(commandCard({ requestId: 'r-new', summary: 'Run the new one' }));
    await page.locator('a.item', { hasText: 'Run the new one' }).waitFor();
    await page.locator('a.item .result', { hasText: 'Allowed' }).waitFor();

    expect(await plan.boundingBox()).toEqual(before);
  });

  it('holds twenty requests, and announces those that arrive below', async () => {
    door.cards = Array.from({ length: 20 }, (_, index) =>
      commandCard({ requestId: `r-${index}`, summary: `Run step ${index}` }),
    );
    const { page } = await openPage(browser(), door);
    await page.locator('a.item', { hasText: 'Run step 19' }).waitFor({ state: 'attached' });

    door.ask(commandCard({ requestId: 'r-late', summary: 'Run the late one' }));
    await page.getByRole('button', { name: '1 new request' }).click();
    const late = page.locator('a.item', { hasText: 'Run the late one' });
    await late.click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.getByRole('heading', { name: 'Run step 0' }).waitFor();

    expect(door.answers).toEqual([{ requestId: 'r-late', decision: 'allow' }]);
    expect(await page.title()).toBe('(20) Claude Code sessions');
  });

  it('drops answered requests when the person leaves the inbox', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door);

    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('By you, on this device').waitFor();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('All clear').waitFor();

    expect(await page.locator('a.item').count()).toBe(0);
  });
});

describe('text of 50,000 characters', () => {
  const command = Array.from({ length: 1000 }, (_, line) => `echo ${line} ${'x'.repeat(40)}`).join('\n');

  it('is allowed only after all of it was shown', async () => {
    door.cards = [commandCard({ what: { type: 'command', command, more: {} }, input: { command } })];
    const { page } = await openPage(browser(), door);
    const allow = page.getByRole('button', { name: 'Allow once' });
    await page.getByText('Show all of it before you allow it.').waitFor();
    await allow.click({ force: true });
    const early = [...door.answers];

    await page.getByRole('button', { name: 'Show all 1,000 lines' }).click();
    const shown = await page.getByLabel('Command', { exact: true }).innerText();
    await allow.click();
    await page.getByText('By you, on this device').waitFor();

    expect(early).toEqual([]);
    expect(shown).toBe(command);
    expect(door.answers).toHaveLength(1);
  });
});

describe('an input of many short fields', () => {
  it('is allowed only after all of them were shown', async () => {
    const input = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field ${index}`, index]));
    door.cards = [mcpCard({ what: { type: 'input', input }, input })];
    const { page } = await openPage(browser(), door);
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await page.getByText('Show all of it before you allow it.').waitFor({ timeout: 2_000 });
    await allow.click({ force: true });
    const early = [await page.locator('.fields dt').count(), ...door.answers];

    await page.getByRole('button', { name: 'Show all 200 fields' }).click();
    const shown = await page.locator('.fields dt').count();
    await allow.click();
    await page.getByText('By you, on this device').waitFor();

    expect(early).toEqual([12]);
    expect(shown).toBe(200);
    expect(door.answers).toHaveLength(1);
  });
});

describe('an edit of what runs', () => {
  const removed = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
  const input = { file_path: '/p/a.ts', old_string: removed, new_string: 'x', replace_all: true };

  it('begins only after all of it was shown, and shows what stays as it is', async () => {
    door.cards = [
      editCard({
        what: {
          type: 'edit',
          path: '/p/a.ts',
          before: removed,
          after: 'x',
          more: { replace_all: true },
        },
        input,
      }),
    ];
    const { page } = await openPage(browser(), door);
    const edit = page.getByRole('button', { name: 'Edit the input' });
    await edit.click({ force: true });
    await page.keyboard.press('e');
    const early = await page.getByLabel('New text').count();

    await page.getByRole('button', { name: /Show all/ }).click();
    await edit.click();
    await page.getByLabel('New text').waitFor();

    expect(early).toBe(0);
    expect(await page.locator('.editor .fields dt').allInnerTexts()).toEqual([
      'file_path',
      'old_string',
      'replace_all',
    ]);
    expect(await page.locator('.editor .fields pre').nth(1).innerText()).toBe(removed);
  });
});

interface Link {
  readonly innerText: string;
  readonly href: string;
  readonly rel: string;
}

describe('hostile text', () => {
  it('is shown as text, with its hidden characters visible', async () => {
    const command = 'echo <img src=x onerror=alert(1)> \u202Egnirts\u202C \u001B[31mred\u001B[0m \u200Bzero';
    door.cards = [
      commandCard({
        summary: '<script>alert(1)</script>',
        claudeSays: '<b>Trust me</b>',
        what: { type: 'command', command, more: { '<i>key</i>': '</pre><h1>Big</h1>' } },
      }),
    ];
    const { page, errors } = await openPage(browser(), door);
    await page.getByRole('heading', { name: '<script>alert(1)</script>' }).waitFor();

    expect(await page.getByLabel('Command', { exact: true }).innerText()).toBe(
      String.raw`echo <img src=x onerror=alert(1)> \u{202e}gnirts\u{202c} \u{1b}[31mred\u{1b}[0m \u{200b}zero`,
    );
    expect(await page.locator('.card img, .card script, .card b, .card i, .card h1').count()).toBe(0);
    expect(await page.locator('.hidden-char').count()).toBe(5);
    expect(errors).toEqual([]);
  });

  it('that looks like an escape is told from the hidden character in a diff', async () => {
    const before = String.raw`// U+2028 is \u{2028}console.log("runs")`;
    const input = {
      file_path: '/w/a.js',
      old_string: before,
      new_string: before.replace(String.raw`\u{2028}`, '\u2028'),
    };
    door.cards = [editCard({ what: whatOf({ kind: 'permission', toolName: 'Edit', input }) })];
    const { page } = await openPage(browser(), door);

    await page.locator('.diff').waitFor();
    const rows = await page.locator('.diff .row code').allInnerTexts();

    expect(rows).toEqual([
      String.raw`// U+2028 is \u{5c}u{2028}console.log("runs")`,
      String.raw`// U+2028 is \u{2028}console.log("runs")`,
    ]);
  });

  it.each([
    ['the same', { isSame: true }, 'No line changes.'],
    [
      'not known to be the same',
      {},
      'Both texts look the same here, but they can differ in what is not shown.',
    ],
  ] as const)('that is %s after an edit is called that', async (_what, sameness, words) => {
    const text = 'const key = "[secret of 20 characters]";';
    const what = { type: 'edit', path: '/w/a.js', before: text, after: text, more: {}, ...sameness } as const;
    door.cards = [editCard({ what })];
    const { page } = await openPage(browser(), door);

    expect(await page.locator('.what > p').innerText()).toBe(words);
  });

  it('is shown with all of its spaces', async () => {
    const [path, key] = ['/p/a  b.ts', 'the  key'];
    door.cards = [editCard({ what: { type: 'edit', path, before: 'a', after: 'b', more: { [key]: 1 } } })];
    const { page } = await openPage(browser(), door);

    const shown = [
      await page.locator('.path > span').first().innerText(),
      await page.locator('.fields dt').innerText(),
    ];

    expect(shown).toEqual([path, key]);
  });

  it('in a plan leads nowhere but to addresses that are shown', async () => {
    const markdown = [
      '<img src=x onerror=alert(1)>',
      '[run](javascript:alert(1)) [data](data:text/html,x) [relative](/api/me)',
      '[https://good.example](https://evil.example/path)',
      '![picture](https://evil.example/pixel.png)',
    ].join('\n\n');
    door.cards = [planCard({ what: { type: 'plan', markdown, more: {} } })];
    const { page, errors } = await openPage(browser(), door);
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();

    const links = page.locator('.markdown a');
    expect(
      await links.evaluateAll((all) =>
        (all as unknown as Link[]).map(({ innerText, href, rel }) => [innerText, href, rel]),
      ),
    ).toEqual([
      ['https://good.example', 'https://evil.example/path', 'noopener noreferrer nofollow'],
      ['Image: picture', 'https://evil.example/pixel.png', 'noopener noreferrer nofollow'],
    ]);
    expect(await page.locator('.markdown .address').allInnerTexts()).toEqual([
      '(javascript:alert(1))',
      '(data:text/html,x)',
      '(/api/me)',
      '(https://evil.example/path)',
      '(https://evil.example/pixel.png)',
    ]);
    expect(await page.locator('.markdown img').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('in a plan cannot hide in what Markdown does not display', async () => {
    const hidden = ['definition', 'label', 'link title', 'path', 'image title', 'info', 'cell', 'comment'];
    const markdown = [
      '[label]: # "the definition"',
      '[docs](https://good.example/the-path "the link title")',
      '![picture](https://good.example/a.png "the image title")',
      '```sh with info\nls\n```',
      '| a | b |\n|---|---|\n| 1 | 2 | the cell |',
      '<!-- the comment -->',
    ].join('\n\n');
    door.cards = [planCard({ what: { type: 'plan', markdown, more: {} } })];
    const { page } = await openPage(browser(), door);

    const shown = await page.locator('.plan-text').innerText();

    expect(hidden.filter((words) => !shown.includes(words))).toEqual([]);
  });

  it('in a plan is also shown as its source', async () => {
    const markdown = '# Plan\n\n1. **Fix** the [tests](https://good.example)';
    door.cards = [planCard({ what: { type: 'plan', markdown, more: {} } })];
    const { page } = await openPage(browser(), door);
    const plan = page.locator('.plan-text');

    await page.getByRole('button', { name: 'Show source' }).click();
    const source = await plan.innerText();
    await page.getByRole('button', { name: 'Show formatted' }).click();

    expect(source).toBe(markdown);
    expect(await plan.locator('strong').innerText()).toBe('Fix');
  });

  it('that nests without end does not break the page', async () => {
    const markdown = `${'> '.repeat(20_000)}deep`;
    door.cards = [planCard({ what: { type: 'plan', markdown, more: {} } })];
    const { page, errors } = await openPage(browser(), door);

    await page.getByRole('button', { name: /Show all/ }).click();
    await page.getByText('deep').waitFor();

    expect(errors).toEqual([]);
  });
});
