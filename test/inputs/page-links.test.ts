import { describe, expect, it } from 'vitest';
import type { AnswerPage, Showing } from '../../src/core/forms.js';
import { arrival, createPeopleScene, FakeApprover } from './people-scene.js';

const page: AnswerPage = { linkTo: (requestId) => `http://127.0.0.1:1/#request=${requestId}` };
const both: Showing = { showForms: true, openPages: true };
const pagesOnly: Showing = { showForms: false, openPages: true };

function sceneWith(approver?: FakeApprover) {
  return createPeopleScene(approver === undefined ? [] : [approver], undefined, page);
}

describe('a client that opens pages', () => {
  it.each([both, pagesOnly])('gets the address of the request instead of a form: %j', (can) => {
    const approver = new FakeApprover('c1', can);
    sceneWith(approver).ask();

    expect(approver.shown.map(({ form }) => form)).toEqual([
      {
        message:
          'Allow Claude Code to run `npm test` in app?\nSession: s1\nRead all of it and decide on the page of this server.',
        fields: {},
        required: [],
        url: 'http://127.0.0.1:1/#request=r1',
      },
    ]);
  });

  it('settles nothing by agreeing to open the page, and the request counts as handled', async () => {
    const approver = new FakeApprover('c1', both);
    const { ask, clock, people, settled, nobody } = sceneWith(approver);
    ask();
    clock.advance(5_000);

    approver.shown[0]?.reply({ action: 'accept', content: { decision: 'allow' } });
    await arrival();

    expect({ settled, nobody, isHandled: people.isHandled('r1') }).toEqual({
      settled: [],
      nobody: [],
      isHandled: true,
    });
  });

  it('settles nothing by declining to open the page, and the caller hears about the request', async () => {
    const approver = new FakeApprover('c1', both);
    const { ask, clock, people, settled, nobody } = sceneWith(approver);
    ask();
    clock.advance(5_000);

    approver.shown[0]?.reply({ action: 'decline' });
    await arrival();

    expect({ settled, nobody, isHandled: people.isHandled('r1') }).toEqual({
      settled: [],
      nobody: ['r1'],
      isHandled: false,
    });
  });

  it('settles nothing with a reply to a returned link', () => {
    const { ask, clock, people, settled } = sceneWith();
    const { request } = ask();
    const handed = people.handOver(request, 'c1', both);
    clock.advance(5_000);

    people.takeBack('r1', { clientId: 'c1' }, { action: 'accept', content: {} }, handed?.askedAt ?? 0);

    expect({ url: handed?.form.url, settled, isHandled: people.isHandled('r1') }).toEqual({
      url: 'http://127.0.0.1:1/#request=r1',
      settled: [],
      isHandled: true,
    });
  });

  it('is asked again only after the person had time to read on the page', () => {
    const { ask, clock, people } = sceneWith();
    const { request } = ask({}, 300_000);
    const handed = people.handOver(request, 'c1', both);
    people.takeBack('r1', { clientId: 'c1' }, { action: 'accept', content: {} }, handed?.askedAt ?? 0);

    people.askAgain(request, 'c1', { isPatient: false });
    const isAskedAtOnce = people.canHandOver(request, 'c1', both);
    clock.advance(60_000);
    people.askAgain(request, 'c1', { isPatient: false });

    expect([isAskedAtOnce, people.canHandOver(request, 'c1', both)]).toEqual([false, true]);
  });

  it('shows nothing while there is no page, if it cannot show forms', () => {
    const approver = new FakeApprover('c1', pagesOnly);
    const { ask, people } = createPeopleScene([approver]);
    const { request } = ask();

    expect([approver.shown, people.canHandOver(request, 'c2', pagesOnly)]).toEqual([[], false]);
  });
});
