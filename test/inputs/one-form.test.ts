import { describe, expect, it } from 'vitest';
import { createPeopleScene, FakeApprover, formsOnly } from './people-scene.js';

describe('the form of a request', () => {
  /** How often the input is read while these clients are asked. */
  function readsFor(clients: readonly string[], handedTo: readonly string[] = []) {
    const approvers = clients.map((client) => new FakeApprover(client));
    const { people, ask } = createPeopleScene(approvers);
    let reads = 0;
    const { request } = ask({
      input: {
        get command() {
          reads += 1;
          return 'make';
        },
      },
    });
    const handed = handedTo.map((client) => people.handOver(request, client, formsOnly)?.form);
    return { reads, forms: [...approvers.map(({ shown }) => shown[0]?.form), ...handed] };
  }

  it('is made once for all clients, and not for one that already had it', () => {
    const one = readsFor(['c1']);
    const many = readsFor(['c1', 'c2', 'c3'], ['c4', 'c5', 'c4', 'c1']);

    expect(one.reads).toBeGreaterThan(0);
    expect(many.reads).toBe(one.reads);
    expect(many.forms).toEqual([...Array(5).fill(one.forms[0]), undefined, undefined]);
  });

  it('is made again once its session has another title', () => {
    const { people, ask, origin } = createPeopleScene();
    const { request } = ask();

    const first = people.handOver(request, 'c1', formsOnly)?.form.message;
    origin.session = 'renamed';
    const second = people.handOver(request, 'c2', formsOnly)?.form.message;

    expect([first, second]).toEqual([
      expect.stringContaining('Session: s1'),
      expect.stringContaining('Session: renamed'),
    ]);
  });
});
