/** A client with MCP Apps that shows the built view with scripted requests, without a server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { Card, PersonAnswer } from '../../src/page/contract.js';
import type { Overview } from '../../src/page/view/contract.js';
import type { PageOptions } from './browser.js';

const viewFile = join(fileURLToPath(new URL('../../dist/page', import.meta.url)), 'view.html');

interface ToolArguments {
  readonly sessionId?: string;
  readonly requestId?: string;
  readonly answer?: PersonAnswer;
  readonly waitMs?: number;
}

/** Runs in the page of the host. */
const program = `
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style = 'width: 700px; height: 860px; border: 0';
  window.addEventListener('message', async ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    const reply = (result) => source.postMessage({ jsonrpc: '2.0', id: data.id, result }, '*');
    if (data.method === 'ui/initialize') {
      if (window.early) window.tellView(window.early);
      reply({ hostCapabilities: { openLinks: {} } });
    }
    if (data.method === 'tools/call') reply(await window.callServer(data.params.arguments));
  });
  window.tellView = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  document.body.style.margin = '0';
  document.body.append(frame);
  frame.srcdoc = window.viewPage;
`;

export class FakeHost {
  readonly answers: PersonAnswer[] = [];
  readonly errors: string[] = [];
  cards: readonly Card[];
  /** Added to each answer of the tool. */
  more: Partial<Overview> = {};
  /** What it tells the view before it answers its first request. */
  early: object | undefined;
  #wake = (): void => undefined;
  #page: Page | undefined;

  constructor(cards: readonly Card[]) {
    this.cards = cards;
  }

  async open(
    browser: Browser,
    { hasClock = false }: Pick<PageOptions, 'hasClock'> = {},
  ): Promise<{ readonly page: Page; readonly view: FrameLocator }> {
    const page = await browser.newPage({ viewport: { width: 720, height: 900 } });
    this.#page = page;
    page.setDefaultTimeout(10_000);
    if (hasClock) await page.clock.install();
    page.on('pageerror', ({ message }) => this.errors.push(message));
    await page.exposeFunction('callServer', (args: ToolArguments) => this.#call(args));
    await page.addInitScript((globals) => Object.assign(globalThis, globals), {
      viewPage: await readFile(viewFile, 'utf8'),
      early: this.early,
    });
    await page.goto('about:blank');
    await page.evaluate(program);
    return { page, view: page.frameLocator('iframe').first() };
  }

  /** The waiting call of the view returns with these requests. */
  show(cards: readonly Card[]): void {
    this.cards = cards;
    this.#wake();
  }

  /** A message of the host that answers nothing. */
  async tell(message: object): Promise<void> {
    await this.#page?.evaluate(`window.tellView(${JSON.stringify(message)})`);
  }

  async #call({ sessionId, requestId, answer, waitMs = 0 }: ToolArguments): Promise<object> {
    if (sessionId === 'unknown')
      return { isError: true, content: [{ type: 'text', text: 'This session does not exist.' }] };
    if (requestId !== undefined) {
      const card = JSON.stringify(this.cards.find((one) => one.requestId === requestId));
      return textOf({ requestId, card, offset: 0, chars: card.length });
    }
    if (answer !== undefined) {
      this.answers.push(answer);
      this.cards = this.cards.filter((card) => card.requestId !== answer.requestId);
    } else if (waitMs > 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return textOf(this.overview());
  }

  overview(): Overview {
    return {
      mayApprove: true,
      requests: this.cards.map(({ requestId, sessionId, kind, summary }) => ({
        requestId,
        sessionId,
        kind,
        summary,
        answerAt: undefined,
      })),
      moreRequests: undefined,
      sessions: [
        {
          sessionId: 's-shop',
          title: 'Fix the failing checkout tests',
          folder: '/home/alice/shop',
          status: 'waiting',
          costUsd: 0,
          lastUsedAt: 0,
          openRequests: this.cards.length,
        },
      ],
      moreSessions: undefined,
      ...this.more,
    };
  }
}

function textOf(value: object): object {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}
