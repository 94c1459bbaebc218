import { expect, it } from 'vitest';
import { plainCaller } from '../kit/callers.js';
import { startIn } from '../sessions/manager-scene.js';
import { createDeskScene, phone, StreamPage } from './desk-scene.js';

it('shows a request at once, and who settled it', async () => {
  const scene = await createDeskScene();
  const { session, process } = await startIn(scene);
  const page = new StreamPage(scene.desk);
  const empty = await page.nextOf('inbox');

  const answered = process.ask({ input: { command: 'npm test', description: 'Run the tests' } });
  const { card } = await page.nextOf('asked');
  const settlement = await scene.desk.call('answer', { requestId: card.requestId, decision: 'allow' }, phone);
  const settled = await page.nextOf('settled');

  expect(empty.cards).toEqual([]);
  expect(card).toMatchObject({
    sessionId: session.id,
    kind: 'permission',
    toolName: 'Bash',
    what: { type: 'command', command: 'npm test', more: { description: 'Run the tests' } },
    sessionTitle: 'do it',
    folder: scene.project,
    accepts: ['allow', 'allow_for_session', 'deny'],
    grant: 'this exact call, until the session ends',
    mayEdit: true,
    isMasked: false,
  });
  expect(settlement).toEqual({
    requestId: card.requestId,
    sessionId: session.id,
    decision: 'allow',
    by: 'page',
    device: 'Phone',
    at: scene.clock.now(),
  });
  expect(settled.settlement).toEqual(settlement);
  expect(await answered).toEqual({ decision: 'allow' });
});

it('begins each connection with all open requests and the sessions in memory', async () => {
  const scene = await createDeskScene();
  const { session, process } = await startIn(scene);
  void process.ask();

  const page = new StreamPage(scene.desk);
  const first = [await page.next(), await page.next(), await page.next()];

  expect(first).toMatchObject([
    { type: 'hello', version: '0.0.0-test' },
    { type: 'sessions', rows: [{ sessionId: session.id, status: 'waiting', openRequests: 1 }] },
    { type: 'inbox', cards: [{ toolName: 'Bash' }] },
  ]);
});

it('begins a connection with the last answers, for a page that has missed them', async () => {
  const scene = await createDeskScene();
  const { session, process } = await startIn(scene);
  void process.ask();
  const [request] = session.view.openInputs;
  if (request === undefined) throw new Error('no request is open');
  await scene.manager.approvals.answer(session.view, request, { decision: 'deny' }, plainCaller);

  const inbox = await new StreamPage(scene.desk).nextOf('inbox');

  expect(inbox).toEqual({
    type: 'inbox',
    cards: [],
    settled: [
      {
        requestId: request.requestId,
        sessionId: session.id,
        decision: 'deny',
        by: 'caller',
        at: expect.any(Number),
      },
    ],
  });
});

it('tells a late answerer who was first', async () => {
  const scene = await createDeskScene();
  const { session, process } = await startIn(scene);
  void process.ask();
  const [request] = session.view.openInputs;
  if (request === undefined) throw new Error('no request is open');
  await scene.manager.approvals.answer(session.view, request, { decision: 'deny' }, plainCaller);

  const late = scene.desk.call('answer', { requestId: request.requestId, decision: 'allow' }, phone);

  await expect(late).rejects.toMatchObject({
    reason: 'request_settled',
    params: { answeredBy: 'caller', decision: 'deny', sessionId: session.id },
  });
});
