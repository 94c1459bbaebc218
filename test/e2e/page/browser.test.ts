import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writePlan } from '../../kit/approval-moves.js';
import { useBrowser } from '../../kit/browser.js';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { pairingLink } from '../../kit/page.js';
import { connectHttp, startService } from '../../kit/service.js';

const browser = useBrowser();

/** The built service, a client, and the page of a paired browser. */
async function startDesk() {
  const { model, sandbox } = await startBackstage();
  const service = await startService({ sandbox, model, env: { CLAUDE_CODE_MCP_APPROVALS: 'human' } });
  const { call } = await connectHttp(service.url, { era: 'modern', token: service.token });
  const context = await browser().newContext({ viewport: { width: 1440, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto((await pairingLink(sandbox)).href);
  await page.getByText('All clear').waitFor();
  return { model, sandbox, call, page, errors };
}

async function settled(page: Page): Promise<void> {
  await page.getByText('By you, on this device').waitFor();
}

describe('a person in a browser', () => {
  it('allows a command once, and edits and denies others', async () => {
    const { model, sandbox, call, page, errors } = await startDesk();
    const touch = (name: string) => tool('Bash', { command: `touch ${name}` });
    model.when('touch them', [touch('a.txt'), touch('b.txt'), touch('c.txt'), text('Done.')]);
    const started = await call('claude_code', { prompt: 'touch them', cwd: sandbox.project });
    const { sessionId } = started.json;

    await page.getByLabel('Command', { exact: true }).getByText('touch a.txt').waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.getByRole('button', { name: 'Edit the command' }).click();
    await page.getByLabel('Command', { exact: true }).fill('touch edited.txt');
    await page.getByRole('button', { name: 'Allow as edited' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.getByRole('button', { name: 'Deny with a message' }).click();
    await page.getByLabel('Message to Claude').fill('Two files are enough.');
    await page.getByRole('button', { name: 'Deny with this message' }).click();
    const done = await call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(
      ['a.txt', 'b.txt', 'c.txt', 'edited.txt'].map((name) => existsSync(join(sandbox.project, name))),
    ).toEqual([true, false, false, true]);
    expect(JSON.stringify(model.requests(sessionId).at(-1)?.body)).toContain('Two files are enough.');
    expect(errors).toEqual([]);
  });

  it('sees a file as a diff, answers a question, and follows the session', async () => {
    const { model, sandbox, call, page, errors } = await startDesk();
    const file = join(sandbox.project, 'hello.txt');
    const question = {
      question: 'Which greeting?',
      header: 'Greeting',
      multiSelect: false,
      options: [
        { label: 'Hello', description: 'Usual' },
        { label: 'Ahoy', description: 'At sea' },
      ],
    };
    model.when('write it', [
      tool('AskUserQuestion', { questions: [question] }),
      tool('Write', { file_path: file, content: 'Ahoy\n' }),
      text('**Written.**'),
    ]);
    const started = await call('claude_code', { prompt: 'write it', cwd: sandbox.project });

    await page.getByRole('radio', { name: /Ahoy/ }).check();
    await page.getByRole('button', { name: 'Send answers' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.locator('.diff .add', { hasText: 'Ahoy' }).waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await settled(page);
    await page.getByRole('article').getByRole('link').click();
    await page.getByRole('log').getByText('Written.').waitFor();
    const words = await page.getByRole('log').innerText();
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByText('1 file changed').waitFor();

    expect(readFileSync(file, 'utf8')).toBe('Ahoy\n');
    expect(words).toContain('Allowed by you, on this device');
    expect(page.url()).toContain(`#session=${started.json.sessionId}`);
    expect(errors).toEqual([]);
  });

  it('edits and approves a plan, then what it leads to', async () => {
    const { model, sandbox, call, page, errors } = await startDesk();
    const file = join(sandbox.project, 'planned.txt');
    model.when('plan it', [
      writePlan('# Plan\n\nWrite a file.'),
      tool('ExitPlanMode', {}),
      tool('Write', { file_path: file, content: 'planned\n' }),
      text('Done.'),
    ]);
    const started = await call('claude_code', {
      prompt: 'plan it',
      cwd: sandbox.project,
      permissionMode: 'plan',
    });
    const { sessionId } = started.json;

    await page.getByText('Write a file.').waitFor();
    await page.getByText('Then: Ask before edits and commands').waitFor();
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    await page.getByLabel('Plan', { exact: true }).fill('# Plan\n\nWrite one file, no more.');
    await page.getByRole('button', { name: 'Approve as edited' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await settled(page);
    const done = await call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(readFileSync(file, 'utf8')).toBe('planned\n');
    expect(JSON.stringify(model.requests(sessionId).at(-1)?.body)).toContain('Write one file, no more.');
    expect(errors).toEqual([]);
  });
});
