import { describe, expect, it } from 'vitest';
import type { FormReply } from '../../src/core/forms.js';
import { createPeopleScene, formsOnly } from './people-scene.js';

const accepted: FormReply = { action: 'accept', content: { decision: 'allow' } };
const cancelled: FormReply = { action: 'cancel' };

describe('an unanswered form that a new call may show again', () => {
  it.each([
    [false, 0, true],
    [true, 0, false],
    [true, 59_999, false],
    [true, 60_000, true],
  ])('is shown again (patiently: %s) after %i ms: %s', (isPatient, ms, comesAgain) => {
    const { people, clock, ask } = createPeopleScene();
    const { request } = ask({}, 300_000);
    const askedAt = people.handOver(request, 'c1', formsOnly)?.askedAt ?? 0;
    people.takeBack(request.requestId, { clientId: 'c1' }, cancelled, askedAt);

    clock.advance(ms);
    people.askAgain(request, 'c1', { isPatient });

    expect(people.canHandOver(request, 'c1', formsOnly)).toBe(comesAgain);
  });

  it('counts as the first one does, which a person may have read for that long: one answer settles the request', () => {
    const { people, clock, ask, settled } = createPeopleScene();
    const { request } = ask({}, 300_000);
    const first = people.handOver(request, 'c1', formsOnly)?.askedAt ?? 0;
    clock.advance(60_000);
    people.askAgain(request, 'c1', { isPatient: false });
    const second = people.handOver(request, 'c1', formsOnly)?.askedAt ?? 0;
    clock.advance(2_000);

    for (const askedAt of [first, first, second])
      people.takeBack(request.requestId, { clientId: 'c1' }, accepted, askedAt);

    expect(second).toBeGreaterThan(first);
    expect(settled).toMatchObject([{ decision: 'allow', answeredBy: 'elicitation' }]);
  });
});
