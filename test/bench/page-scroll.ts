/** How evenly a long timeline scrolls. */
import type { Browser } from 'playwright-core';
import { desk, openPage } from '../web/browser.js';
import { startScene } from '../web/scene.js';
import { timeline } from '../web/session-samples.js';

const EVENTS = 10_000;
const WHEELS = 300;
const WHEEL_PX = 1_000;

/** The time between two frames, for every frame while the wheel moves, in milliseconds. */
export async function measureScrolling(browser: Browser): Promise<readonly number[]> {
  const door = await startScene();
  const sessionId = 's-idle';
  door.events.set(sessionId, []);
  const { page } = await openPage(browser, door, `#session=${sessionId}`, desk);
  try {
    const log = page.getByRole('log');
    await log.getByText('No events yet.').waitFor();
    const texts = Array.from({ length: EVENTS }, (_, index) => ({
      type: 'text' as const,
      text: `Step **${index + 1}** is done. See \`steps.ts\`.\n\n- first\n- second`,
    }));
    door.addEvents(sessionId, timeline(texts));
    await log.getByText(`Step ${EVENTS} is done.`).waitFor();
    await log.press('Home');
    await log.getByText('Step 1 is done.').waitFor();
    await log.hover();
    await page.evaluate(`(() => {
      globalThis.frames = [];
      let last = performance.now();
      const next = (now) => {
        frames.push(now - last);
        last = now;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    })()`);
    for (let wheel = 0; wheel < WHEELS; wheel += 1) await page.mouse.wheel(0, WHEEL_PX);
    const { frames, part } = await page.evaluate<{ frames: number[]; part: number }>(`(() => {
      const { scrollTop, scrollHeight } = document.querySelector('.timeline');
      return { frames: globalThis.frames.slice(1), part: scrollTop / scrollHeight };
    })()`);
    if (part < 0.1)
      throw new Error(`the wheel moved through only ${(part * 100).toFixed()} % of the timeline`);
    return frames;
  } finally {
    await page.context().close();
    await door.close();
  }
}
