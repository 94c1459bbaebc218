import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Settlement } from '../../src/page/contract.js';
import { useBrowser } from '../kit/browser.js';
import { openPage } from './browser.js';
import { FakeDoor } from './fake-door.js';
import { commandCard, editCard, planCard, questionCard } from './samples.js';

const browser = useBrowser();
let door: FakeDoor;

beforeEach(async () => {
  door = await FakeDoor.start();
});
afterEach(() => door.close());

describe('a request in the inbox', () => {
  it('appears when it is asked and is allowed once, as shown', async () => {
    const { page, errors } = await openPage(browser(), door);
    await page.getByText('All clear').waitFor();

    door.ask(commandCard());
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'allow' }]);
    expect(errors).toEqual([]);
  });

  it('is allowed for the session', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door);

    await page.getByText('Every command that begins with “npm test”').waitFor();
    await page.getByRole('button', { name: 'Allow for this session' }).click();
    await page.getByRole('status').getByText('Allowed').waitFor();

    expect(door.answers).toEqual([{ requestId: 'r-command', decision: 'allow_for_session' }]);
  });

  it.each([320, 899, 900, 1_099, 1_100])(
    'has all its buttons within a window of %d pixels',
    async (width) => {
      door.cards = [commandCard()];
      const { page } = await openPage(browser(), door, '', { viewport: { width, height: 800 } });

      await page.getByText('Run npm test').first().click();
      const buttons = page.locator('.answer-bar button');
      await buttons.first().waitFor();

      const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
      const rights = boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0));
      expect(rights.length).toBeGreaterThan(3);
      expect(Math.max(...rights)).toBeLessThanOrEqual(width);
    },
  );

  it('is denied with a message', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door);

    await page.getByRole('button', { name: 'Deny with a message' }).click();
    await page.getByLabel('Message to Claude').fill('Use npm run test:unit.');
    await page.getByRole('button', { name: 'Deny with this message' }).click();
    await page.getByRole('status').getByText('Denied').waitFor();

    expect(door.answers).toEqual([
      { requestId: 'r-command', decision: 'deny', message: 'Use npm run test:unit.' },
    ]);
  });

  it('runs as edited', async () => {
    door.cards = [commandCard()];
    const { page } = await openPage(browser(), door);

    await page.getByRole('button', { name: 'Edit the command' }).click();
    await page.getByLabel('Command').fill('npm run test:unit');
    await page.getByRole('button', { name: 'Allow as edited' }).click();
    await page.getByRole('status').getByText('Allowed').waitFor();

    expect(door.answers).toEqual([
      {
        requestId: 'r-command',
        decision: 'allow',
        input: { ...commandCard().input, command: 'npm run test:unit' },
      },
    ]);
  });

  it('cannot be allowed as edited while its JSON is not an object', async () => {
    const input = { path: '/etc/hosts' };
    door.cards = [commandCard({ toolName: 'Look', what: { type: 'input', input }, input })];
    const { page } = await openPage(browser(), door);
    const allow = page.getByRole('button', { name: /^Allow/ });

    await page.getByRole('button', { name: 'Edit the input' }).click();
    await page.getByLabel('Input as JSON').fill('{"path": ');
    await page.getByText('This is not a JSON object.').waitFor();
    await allow.click({ force: true });
    const refused = [...door.answers];
    await page.getByLabel('Input as JSON').fill('{"path": "/etc/motd"}');
    await allow.click();
    await page.getByRole('status').getByText('Allowed').waitFor();

    expect(refused).toEqual([]);
    expect(door.answers).toEqual([
      { requestId: 'r-command', decision: 'allow', input: { path: '/etc/motd' } },
    ]);
  });

  it('shows an edit as a diff with changed words', async () => {
    door.cards = [editCard()];
    const { page } = await openPage(browser(), door);
    await page.getByText('/home/alice/shop/src/cart/total.ts').first().waitFor();

    expect(await page.locator('.diff .del mark').allInnerTexts()).toEqual([
      'price',
      'sum',
      'sum',
      'price',
      'sum',
    ]);
    expect(await page.locator('.diff .add .num').allInnerTexts()).toEqual([
      '',
      '1',
      '',
      '9',
      '',
      '11',
      '',
      '13',
    ]);
  });
});

describe('a plan', () => {
  it('is approved as edited, with the mode that follows', async () => {
    door.cards = [planCard()];
    const { page } = await openPage(browser(), door);

    await page.getByRole('heading', { name: 'Move sessions to Redis', exact: true }).waitFor();
    await page.getByRole('radio', { name: /Accept edits/ }).check();
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    await page.getByLabel('Plan', { exact: true }).fill('# Only the store');
    await page.getByRole('button', { name: 'Approve as edited' }).click();
    await page.getByRole('status').getByText('Approved').waitFor();

    expect(door.answers).toEqual([
      {
        requestId: 'r-plan',
        decision: 'allow',
        input: { plan: '# Only the store' },
        nextMode: 'acceptEdits',
      },
    ]);
  });
});

describe('questions', () => {
  it('are answered by choice, by several choices and in own words', async () => {
    door.cards = [questionCard()];
    const { page } = await openPage(browser(), door);
    const send = page.getByRole('button', { name: 'Send answers' });

    await page.getByLabel('Another answer to: Which store').fill('SQLite');
    await page.getByText('Answer every question.').waitFor();
    await send.click({ force: true });
    const early = [...door.answers];
    await page.getByRole('checkbox', { name: /Staging/ }).check();
    await page.getByRole('checkbox', { name: /Canary/ }).check();
    await send.click();
    await page.getByRole('status').getByText('Answered').waitFor();

    expect(early).toEqual([]);
    expect(door.answers).toEqual([
      {
        requestId: 'r-question',
        decision: 'allow',
        answers: {
          'Which store should hold the sessions?': ['SQLite'],
          'Which environments get it first?': ['Staging', 'Canary'],
        },
      },
    ]);
  });
});

describe('an answer', () => {
  it('is shown as sent before it is settled', async () => {
    door.cards = [commandCard()];
    door.holdAnswers = true;
    const { page } = await openPage(browser(), door);

    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Waiting for the server…').waitFor();
    door.release();
    await page.getByText('By you, on this device').waitFor();

    expect(door.answers).toHaveLength(1);
  });

  it('that is late names who was first', async () => {
    const settlement: Settlement = {
      requestId: 'r-command',
      sessionId: 's-shop',
      decision: 'deny',
      by: 'elicitation',
      at: Date.now(),
    };
    door.cards = [commandCard()];
    door.handlers.answer = () => ({ reason: 'request_settled', message: 'Already settled.', settlement });
    const { page } = await openPage(browser(), door);

    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Too late: already denied').waitFor();

    expect(await page.getByRole('article').getByRole('status').innerText()).toContain(
      'By a form in the client at',
    );
  });

  it('that fails leaves the request open and says why', async () => {
    door.cards = [commandCard()];
    door.handlers.answer = () => ({ reason: 'disk_full', message: 'The answer could not be recorded.' });
    const { page } = await openPage(browser(), door);

    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('alert').getByText('The answer could not be recorded.').waitFor();

    expect(await page.getByRole('button', { name: 'Allow once' }).isVisible()).toBe(true);
  });
});
