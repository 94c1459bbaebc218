import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Card } from '../../src/page/contract.js';
import type { Desk } from '../../src/page/desk.js';
import { appOf, startInProcess, type InProcessOptions, type InProcessScene } from '../kit/in-process.js';
import { text, tool, type Step } from '../kit/model-steps.js';
import { accept, formCapability, neverAnswer, seatPerson, settledInputs } from '../kit/person.js';
import { createGate } from '../kit/gate.js';
import { phone, StreamPage } from '../page/desk-scene.js';

interface Scene extends InProcessScene {
  readonly desk: Desk;
  readonly page: StreamPage;
}

async function startWithPage(options: Partial<InProcessOptions> = {}): Promise<Scene> {
  const scene = await startInProcess({ era: 'modern', ...options });
  const desk = await appOf(scene.server).desk();
  const page = new StreamPage(desk);
  await page.nextOf('inbox');
  return { ...scene, desk, page };
}

/** Starts a session that asks, and returns the card of its request. */
async function ask(scene: Scene, step: Step, options: object = {}): Promise<Card> {
  const { server, model, sandbox, page } = scene;
  model.when('go', [step, text('Done.')]);
  const call = server.call('claude_code', { prompt: 'go', cwd: sandbox.project, ...options });
  const { card } = await page.nextOf('asked');
  await call;
  return card;
}

/** The state of the session after its turn. */
async function finish({ server }: Scene, { sessionId }: Card) {
  return (await server.call('claude_code_check', { sessionId, waitMs: 20_000, cursor: 0 })).json;
}

const human = { env: { CLAUDE_CODE_MCP_APPROVALS: 'human' } };

describe('a request that is answered on the page', () => {
  it('runs once where only people may approve, and the caller learns which device answered', async () => {
    const scene = await startWithPage(human);
    const card = await ask(scene, tool('Bash', { command: 'echo line >> a.txt' }));

    const refused = await scene.server.call('claude_code_respond', {
      requestId: card.requestId,
      decision: 'allow',
    });
    await scene.desk.call('answer', { requestId: card.requestId, decision: 'allow' }, phone);
    const done = await finish(scene, card);

    expect(refused.text).toMatch(/only a person may approve/);
    expect(done).toMatchObject({
      status: 'idle',
      answered: [{ requestId: card.requestId, decision: 'allow', answeredBy: 'page', device: 'Phone' }],
      result: { result: 'Done.' },
    });
    expect(readFileSync(join(scene.sandbox.project, 'a.txt'), 'utf8')).toBe('line\n');
    expect(settledInputs(scene.server)).toMatchObject([{ answeredBy: 'page', device: 'Phone' }]);
  });

  it('runs as edited', async () => {
    const scene = await startWithPage();
    const card = await ask(scene, tool('Bash', { command: 'touch wrong.txt' }));

    const input = { command: 'touch right.txt' };
    await scene.desk.call('answer', { requestId: card.requestId, decision: 'allow', input }, phone);
    await finish(scene, card);

    expect(['right.txt', 'wrong.txt'].map((name) => existsSync(join(scene.sandbox.project, name)))).toEqual([
      true,
      false,
    ]);
  });

  it('shows the file that a Write replaces, and replaces it', async () => {
    const scene = await startWithPage();
    const path = join(scene.sandbox.project, 'a.txt');
    writeFileSync(path, 'old\n');
    const card = await ask(scene, tool('Write', { file_path: path, content: 'new\n' }));

    await scene.desk.call('answer', { requestId: card.requestId, decision: 'allow' }, phone);
    await finish(scene, card);

    expect(card.what).toMatchObject({ type: 'edit', path, before: 'old\n', after: 'new\n' });
    expect(readFileSync(path, 'utf8')).toBe('new\n');
  });

  it('can be a plan and a question', async () => {
    const scene = await startWithPage();
    const plan = await ask(scene, tool('ExitPlanMode', { plan: '# Do it' }), { permissionMode: 'plan' });
    await scene.desk.call(
      'answer',
      { requestId: plan.requestId, decision: 'allow', nextMode: 'default' },
      phone,
    );
    const planned = await finish(scene, plan);
    const question = await ask(
      scene,
      tool('AskUserQuestion', {
        questions: [
          {
            question: 'Which one?',
            header: 'One',
            multiSelect: false,
            options: [{ label: 'A', description: 'a' }],
          },
        ],
      }),
    );
    await scene.desk.call(
      'answer',
      { requestId: question.requestId, decision: 'allow', answers: { 'Which one?': ['A'] } },
      phone,
    );
    const asked = await finish(scene, question);

    expect([plan.what.type, question.what.type]).toEqual(['plan', 'questions']);
    expect([planned.status, asked.status]).toEqual(['idle', 'idle']);
    expect(JSON.stringify(scene.model.requests(question.sessionId).at(-1)?.body)).toContain('Which one?');
  });

  it('ends the form that a person has not answered, and the waiting caller gets the result', async () => {
    const scene = await startWithPage({ era: 'legacy', capabilities: formCapability });
    const { server, model, sandbox, page, desk } = scene;
    const person = seatPerson(server, neverAnswer);
    model.when('go', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);

    const call = server.call('claude_code', { prompt: 'go', cwd: sandbox.project, waitMs: 20_000 });
    const form = await person.form(0);
    const { card } = await page.nextOf('asked');
    await desk.call('answer', { requestId: card.requestId, decision: 'allow' }, phone);
    const { json } = await call;

    expect(form.signal.aborted).toBe(true);
    expect(json).toMatchObject({
      status: 'idle',
      answered: [{ answeredBy: 'page' }],
      result: { result: 'Done.' },
    });
  });
});

describe('a race has one winner', () => {
  it('the page is first, and the caller sees which device answered', async () => {
    const scene = await startWithPage();
    const card = await ask(scene, tool('Bash', { command: 'touch a.txt' }));

    await scene.desk.call('answer', { requestId: card.requestId, decision: 'deny' }, phone);
    const late = await scene.server.call('claude_code_respond', {
      requestId: card.requestId,
      decision: 'allow',
    });
    await finish(scene, card);

    expect(late.text).toContain('is already settled (decision: deny, answered by: page on "Phone")');
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });

  it('the caller is first, and the page shows it', async () => {
    const scene = await startWithPage();
    const card = await ask(scene, tool('Bash', { command: 'touch a.txt' }));
    const { requestId } = card;

    await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });
    const settled = await scene.page.nextOf('settled');
    const late = scene.desk.call('answer', { requestId, decision: 'deny' }, phone);

    expect(settled.settlement).toMatchObject({ requestId, decision: 'allow', by: 'caller' });
    await expect(late).rejects.toMatchObject({ reason: 'request_settled', params: { answeredBy: 'caller' } });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(true);
  });

  it('a form is first, and the page shows it', async () => {
    const scene = await startWithPage({ era: 'legacy', capabilities: formCapability });
    const { server, model, sandbox, page, desk } = scene;
    const gate = createGate();
    seatPerson(server, async () => {
      await gate.opened;
      return accept({ decision: 'allow' });
    });
    model.when('go', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);

    const call = server.call('claude_code', { prompt: 'go', cwd: sandbox.project, waitMs: 20_000 });
    const { card } = await page.nextOf('asked');
    gate.open();
    const { settlement } = await page.nextOf('settled');
    const late = desk.call('answer', { requestId: card.requestId, decision: 'deny' }, phone);

    expect(settlement).toMatchObject({ requestId: card.requestId, by: 'elicitation', decision: 'allow' });
    await expect(late).rejects.toMatchObject({ reason: 'request_settled' });
    expect((await call).json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });
});

it('shows 20 requests at once, each answered by itself', async () => {
  const scene = await startWithPage({ env: { CLAUDE_CODE_MCP_MAX_SESSIONS: '20' } });
  const { server, model, sandbox, page, desk } = scene;
  const names = Array.from({ length: 20 }, (_, index) => `f${index}.txt`);
  const cards: Card[] = [];
  for (const name of names) {
    model.when(`make ${name}`, [tool('Bash', { command: `touch ${name}` }), text('Done.')]);
    await server.call('claude_code', { prompt: `make ${name}`, cwd: sandbox.project });
    cards.push((await page.nextOf('asked')).card);
  }

  await Promise.all(
    cards.map(({ requestId }, index) =>
      desk.call('answer', { requestId, decision: index % 2 === 0 ? 'allow' : 'deny' }, phone),
    ),
  );
  for (const card of cards) await finish(scene, card);

  expect(names.filter((name) => existsSync(join(sandbox.project, name)))).toEqual(
    names.filter((_, index) => index % 2 === 0),
  );
});
