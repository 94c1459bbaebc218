import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser } from '../../kit/browser.js';
import { startScene } from '../../kit/fixture.js';
import { createGate } from '../../kit/gate.js';
import { text, tool } from '../../kit/model-steps.js';
import { accept, formCapability, neverAnswer, seatPerson, settledInputs } from '../../kit/person.js';
import { outcomeOf, visit } from './visit.js';

const browser = useBrowser();

/** Lets the test hold the answers of the page while they are under way. */
async function answersOf(page: Page): Promise<{ hold(): () => void }> {
  let released = Promise.resolve();
  await page.route('**/api/answer', async (route) => {
    await released;
    await route.continue();
  });
  return {
    hold: () => {
      const gate = createGate();
      released = gate.opened;
      return () => gate.open();
    },
  };
}

it('a form, a tool call and the page race for a request: one wins, and the page names it', async () => {
  const { server, model, sandbox } = await startScene({
    era: 'legacy',
    args: ['--web', '127.0.0.1:0'],
    capabilities: formCapability,
  });
  const racers = ['call', 'page', 'form'] as const;
  const run = racers.map((name) => tool('Bash', { command: `echo ${name} >> ${name}.txt` }));
  model.when('race', [...run, text('Over.')]);
  const formAnswers = createGate();
  const person = seatPerson(server, async (form) => {
    if (!form.message.includes('echo form')) return neverAnswer(form);
    await formAnswers.opened;
    return accept({ decision: 'allow' });
  });
  const { page, open, press } = await visit(browser(), sandbox);
  const answers = await answersOf(page);
  const ended = server.call('claude_code', { prompt: 'race', cwd: sandbox.project, waitMs: 45_000 });
  const respond = async (summary: string) => {
    const card = await open(summary);
    const requestId = await card.getAttribute('data-request');
    return server.call('claude_code_respond', { requestId, decision: 'allow', waitMs: 0 });
  };
  /** The page answers first, but its answer arrives after the other one. */
  const beLate = async (summary: string, button: string, other: () => Promise<unknown>): Promise<string> => {
    const release = answers.hold();
    const card = await open(summary);
    await card.getByRole('button', { name: button, exact: true }).click();
    await card.getByText('Waiting for the server…').waitFor();
    await other();
    release();
    return outcomeOf(card.filter({ hasText: 'Too late' }));
  };

  const afterCall = await beLate('echo call', 'Deny', () => respond('echo call'));
  const first = await press('echo page', 'Allow once');
  const lateCall = await respond('echo page');
  const afterForm = await beLate('echo form', 'Deny', async () => {
    formAnswers.open();
    await ended;
  });

  const settled = settledInputs(server).map(({ answeredBy }) => answeredBy);
  expect(afterCall).toBe('Too late: already allowed. By the client that started the session');
  expect(first).toBe('Allowed. By you, on this device');
  expect(lateCall).toMatchObject({ isError: true, text: expect.stringContaining('Chrome on Linux') });
  expect(afterForm).toBe('Too late: already allowed. By a form in the client');
  expect(settled).toEqual(['caller', 'page', 'elicitation']);
  expect((await ended).json).toMatchObject({ status: 'idle', result: { result: 'Over.' } });
  expect(racers.map((name) => readFileSync(join(sandbox.project, `${name}.txt`), 'utf8'))).toEqual(
    racers.map((name) => `${name}\n`),
  );
  expect(person.forms.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
}, 60_000);
