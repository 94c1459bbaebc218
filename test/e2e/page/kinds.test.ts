import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import type { AnswerJson } from '../../kit/answer-json.js';
import { writePlan } from '../../kit/approval-moves.js';
import { pressOnceSteady, useBrowser } from '../../kit/browser.js';
import { startBackstage, startScene } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { questions } from '../../kit/questions.js';
import { connectServer } from '../../kit/server-client.js';
import { toolResultText } from '../../kit/tool-result.js';
import { outcomeOf, visit } from './visit.js';

const browser = useBrowser();
const byPerson = { answeredBy: 'page', device: 'Chrome on Linux' } as const;

/** A server over stdin and stdout with a page, where only people may approve. */
async function startDesk() {
  const { model, sandbox } = await startBackstage();
  const auditLog = join(sandbox.root, 'audit.jsonl');
  const server = await connectServer({
    sandbox,
    model,
    era: 'modern',
    args: ['--web', '127.0.0.1:0'],
    env: { CLAUDE_CODE_MCP_APPROVALS: 'human', CLAUDE_CODE_MCP_AUDIT_LOG: auditLog },
  });
  onTestFinished(() => server.close());
  const settledInAudit = () =>
    readFileSync(auditLog, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ what }) => what === 'input_settled');
  return { model, sandbox, server, settledInAudit };
}

it('a person answers every kind of request, and each call runs once, as shown or as edited', async () => {
  const { model, sandbox, server, settledInAudit } = await startDesk();
  const inProject = (name: string): string => join(sandbox.project, name);
  const notes = inProject('notes.txt');
  model.when('a part of it', [tool('Bash', { command: 'echo sub >> sub.txt' }), text('Part done.')]);
  model.when('all kinds', [
    tool('Bash', { command: 'echo one >> once.txt' }),
    tool('Bash', { command: 'mkdir -p made' }),
    tool('Bash', { command: 'mkdir -p made' }, { id: 'toolu_again' }),
    tool('Bash', { command: 'touch denied.txt' }, { id: 'toolu_denied' }),
    tool('Bash', { command: 'touch original.txt' }),
    tool('Write', { file_path: notes, content: 'first\nsecond\n' }),
    tool('Edit', { file_path: notes, old_string: 'second', new_string: 'third' }),
    tool('AskUserQuestion', { questions }, { id: 'toolu_asked' }),
    tool('Agent', {
      description: 'part',
      prompt: 'a part of it',
      subagent_type: 'general-purpose',
      run_in_background: false,
    }),
    text('All done.'),
  ]);
  const started = await server.call('claude_code', { prompt: 'all kinds', cwd: sandbox.project, waitMs: 0 });
  const { sessionId } = started.json;
  const { page, errors, open, press } = await visit(browser(), sandbox);
  const outcomes: string[] = [];

  outcomes.push(await press('echo one', 'Allow once'));
  outcomes.push(await press('mkdir -p made', 'Allow for this session'));
  const denied = await open('touch denied.txt');
  await denied.getByRole('button', { name: 'Deny with a message' }).click();
  await denied.getByLabel('Message to Claude').fill('No more files.');
  await denied.getByRole('button', { name: 'Deny with this message' }).click();
  outcomes.push(await outcomeOf(denied));
  const edited = await open('touch original.txt');
  await edited.getByRole('button', { name: 'Edit the command' }).click();
  await edited.getByLabel('Command', { exact: true }).fill('echo edited >> edited.txt');
  await edited.getByRole('button', { name: 'Allow as edited' }).click();
  outcomes.push(await outcomeOf(edited));
  const written = await open('Write');
  const newLines = await lines(written.locator('.diff .add'));
  outcomes.push(await press('Write', 'Allow once'));
  const changed = await open('Edit');
  const removed = await lines(changed.locator('.diff .del'));
  outcomes.push(await press('Edit', 'Allow once'));
  const asked = await open('Answer');
  await asked.getByLabel('Another answer to: Which DB?').fill('SQLite');
  await asked.getByRole('checkbox', { name: /Cache/ }).check();
  await asked.getByRole('checkbox', { name: /Queue/ }).check();
  await asked.getByRole('button', { name: 'Send answers' }).click();
  outcomes.push(await outcomeOf(asked));
  const byAgent = await open('echo sub');
  const origin = await byAgent.locator('.origin').innerText();
  outcomes.push(await press('echo sub', 'Allow once'));
  const done = await server.call('claude_code_check', { sessionId, waitMs: 20_000, include: ['events'] });
  await page.getByRole('article').getByRole('link', { name: 'all kinds' }).click();
  await page.getByRole('log').getByText('All done.').waitFor();
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByText('1 file changed').waitFor();

  const decisions = ['allow', 'allow', 'deny', 'allow', 'allow', 'allow', 'allow', 'allow'];
  const settled = decisions.map((decision) => expect.objectContaining({ decision, ...byPerson }));
  const byGrant = expect.objectContaining({ decision: 'allow', answeredBy: 'rule' });
  const { status, answered, events = [] } = done.json as AnswerJson & { readonly answered: unknown };
  const lastRequest = model.requests(sessionId).findLast(({ agentId }) => agentId === undefined);
  expect(outcomes).toEqual(
    ['Allowed', 'Allowed', 'Denied', 'Allowed', 'Allowed', 'Allowed', 'Answered', 'Allowed'].map(
      (outcome) => `${outcome}. By you, on this device`,
    ),
  );
  expect([newLines, removed]).toEqual([['1 + first', '2 + second'], ['− second']]);
  expect(origin).toContain('subagent general-purpose');
  expect({ status, answered }).toEqual({ status: 'idle', answered: settled.slice(-5) });
  expect(events.filter(({ type }) => type === 'input_resolved')).toEqual(settled);
  expect(settledInAudit()).toEqual([...settled.slice(0, 2), byGrant, ...settled.slice(2)]);
  expect(lastRequest && toolResultText(lastRequest, 'toolu_denied')).toContain(
    'A person denied this: No more files.',
  );
  expect(lastRequest && toolResultText(lastRequest, 'toolu_asked')).toContain(
    '"Which DB?"="SQLite", "Which extras?"="Cache, Queue"',
  );
  expect(contents(sandbox.project)).toEqual({
    'edited.txt': 'edited\n',
    made: '',
    'notes.txt': 'first\nthird\n',
    'once.txt': 'one\n',
    'sub.txt': 'sub\n',
  });
  expect(errors).toEqual([]);
}, 60_000);

it('a person starts a session on the page, edits its plan, and approves it with the mode that follows', async () => {
  const { server, model, sandbox } = await startScene({ era: 'modern', args: ['--web', '127.0.0.1:0'] });
  const file = join(sandbox.project, 'built.txt');
  model.when('plan it', [
    writePlan('# Plan\nTouch a file.'),
    tool('ExitPlanMode', {}, { id: 'toolu_plan' }),
    tool('Write', { file_path: file, content: 'built' }),
    text('All built.'),
  ]);
  const { page, errors } = await visit(browser(), sandbox);

  await page.getByRole('link', { name: 'New' }).click();
  await page.getByLabel('What should Claude do?').fill('plan it');
  await page.getByLabel('Folder').fill(sandbox.project);
  await page.getByLabel('Mode').selectOption('plan');
  await page.getByRole('button', { name: 'Start the session' }).click();
  const card = page.locator('article.card');
  await card.getByText('Touch a file.').waitFor();
  await card.getByRole('radio', { name: /Accept edits/ }).check();
  await card.getByRole('button', { name: 'Edit the plan' }).click();
  await card.getByLabel('Plan', { exact: true }).fill('# Edited plan');
  await pressOnceSteady(card.getByRole('button', { name: 'Approve as edited' }));
  await page.getByRole('log').getByText('All built.').waitFor();
  const timeline = await page.getByRole('log').innerText();
  const [request] = model.requests().slice(-1);
  const listed = await server.call('claude_code_session', { action: 'list' });

  expect(request && toolResultText(request, 'toolu_plan')).toContain('# Edited plan');
  expect(timeline).toMatch(/Approved\s+By you, on this device/);
  expect(listed.json.sessions).toMatchObject([{ status: 'idle' }]);
  expect(readFileSync(file, 'utf8')).toBe('built');
  expect(errors).toEqual([]);
});

/** The lines of a diff, with their numbers. */
async function lines(rows: Locator): Promise<readonly string[]> {
  await rows.first().waitFor();
  return (await rows.allInnerTexts()).map((row) => row.replaceAll('\n', ' '));
}

/** The content of each file. */
function contents(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(join(folder, entry.name), 'utf8') : '',
    ]),
  );
}
