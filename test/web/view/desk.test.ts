import { describe, expect, it } from 'vitest';
import type { Overview } from '../../../src/page/view/contract.js';
import { ViewDesk, type Host, type ViewState } from '../../../web/view/desk.js';
import { deferred } from '../../kit/deferred.js';
import { row } from '../session-samples.js';

interface Look {
  readonly sessionId?: string;
  readonly waitMs?: number;
}

function overviewOf(sessionId: string | undefined): Overview {
  return {
    mayApprove: true,
    requests: [],
    moreRequests: undefined,
    sessions: [row({ sessionId: 's-any' })],
    moreSessions: undefined,
    ...(sessionId === undefined ? {} : { session: row({ sessionId }) }),
  };
}

/** A view whose looks are answered when the test says so. Looks that wait are never answered. */
function scene(openLink: Host['openLink'] = async () => undefined) {
  const looks: { readonly look: Look; readonly settle: (error?: string) => void }[] = [];
  const host: Host = {
    can: { openLinks: false },
    openLink,
    async callTool(_name, look: Look) {
      const answer = deferred<string | undefined>();
      looks.push({ look, settle: answer.resolve });
      const error = await answer.promise;
      if (error !== undefined) throw new Error(error);
      return overviewOf(look.sessionId);
    },
  };
  const states: ViewState[] = [];
  const desk = new ViewDesk(host, (state) => void states.push(state));
  return {
    desk,
    looks,
    idsOfLooks: () => looks.map(({ look }) => look.sessionId),
    state: () => states.at(-1),
    shown: () => ({ session: states.at(-1)?.session?.sessionId, problem: states.at(-1)?.problem }),
  };
}

describe('a selected session', () => {
  it('stays if an earlier one that cannot be shown is refused later', async () => {
    const { desk, looks, idsOfLooks, shown } = scene();
    const [bad, good] = [desk.select('s-bad'), desk.select('s-good')];

    looks[1]?.settle();
    await good;
    looks[0]?.settle('This session does not exist.');
    await bad;
    void desk.select('s-worse');
    looks[2]?.settle('This session does not exist.');
    await expect.poll(() => shown().problem).toBe('This session does not exist.');
    void desk.run();

    expect(idsOfLooks()).toEqual(['s-bad', 's-good', 's-worse', 's-good']);
    expect(shown().session).toBe('s-good');
  });

  it('is not replaced by the answer of an earlier look', async () => {
    const { desk, looks, shown } = scene();
    const [first, second] = [desk.select('s-first'), desk.select('s-second')];

    looks[1]?.settle();
    await second;
    looks[0]?.settle();
    await first;

    expect(shown()).toEqual({ session: 's-second', problem: undefined });
  });

  it('is not replaced by the one that the host has named before', async () => {
    const { desk, looks, idsOfLooks } = scene();
    void desk.run('s-named');

    const selected = desk.select('s-clicked');
    looks[1]?.settle();
    await selected;
    looks[0]?.settle();
    await expect.poll(() => looks.length).toBe(3);

    expect(idsOfLooks()).toEqual([undefined, 's-clicked', 's-clicked']);
  });
});

it('the address of the page is written out once the host has not opened it', async () => {
  const { desk, state } = scene(async () => {
    throw new Error('The host does not open this address.');
  });

  await desk.openPage('http://127.0.0.1:8137/#request=r1');

  expect(state()).toMatchObject({ hasRefusedLink: true });
});
