import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import type { CallState } from '../../src/core/tool-context.js';
import { CallStates, type SealedCall } from '../../src/mcp/call-state.js';

const state: CallState = {
  sessionId: 's1',
  requestId: 'r1',
  cursor: 7,
  deadline: 1_000,
  round: 2,
  askedAt: 500,
};
const call: SealedCall = { tool: 'claude_code', args: { prompt: 'do it', advanced: { a: 1, b: [1, 2] } } };
const notOurs = new AppError('request_state_foreign');
const otherCall = new AppError('request_state_of_other_call');
const aDayMs = 86_400_000;

/** A request of this client; nothing else of it matters here. */
function contextOf(clientId: string): ServerContext {
  return { http: { authInfo: { clientId } } } as unknown as ServerContext;
}

function createStates(): CallStates {
  return new CallStates(({ http }) => http?.authInfo?.clientId ?? 'nobody');
}

const ada = contextOf('ada');

afterEach(() => {
  vi.useRealTimers();
});

describe('a sealed state', () => {
  it('is opened by the same call, as it was', async () => {
    const states = createStates();

    const sealed = await states.seal(call, state, ada);

    expect(await states.open(sealed, call, ada)).toEqual(state);
  });

  it('is opened by the same arguments in another order', async () => {
    const states = createStates();
    const sealed = await states.seal(call, state, ada);
    const args = { advanced: { b: [1, 2], a: 1 }, prompt: 'do it' };

    expect(await states.open(sealed, { ...call, args }, ada)).toEqual(state);
  });

  it('is opened as often as it comes', async () => {
    const states = createStates();
    const sealed = await states.seal(call, state, ada);
    await states.open(sealed, call, ada);

    expect(await states.open(sealed, call, ada)).toEqual(state);
  });

  it('holds nothing of the arguments', async () => {
    const sealed = await createStates().seal({ ...call, args: { prompt: 'sk-ant-secret' } }, state, ada);

    expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString()).not.toContain('secret');
  });
});

describe('a state is refused', () => {
  it.each<[string, SealedCall]>([
    ['another tool', { ...call, tool: 'claude_code_reply' }],
    ['another value', { ...call, args: { prompt: 'do it', advanced: { a: 1, b: [1, 3] } } }],
    ['a list in another order', { ...call, args: { prompt: 'do it', advanced: { a: 1, b: [2, 1] } } }],
    ['an argument more', { ...call, args: { prompt: 'do it', advanced: { a: 1, b: [1, 2] }, title: '' } }],
    ['an argument less', { ...call, args: { prompt: 'do it' } }],
    ['no arguments', { ...call, args: undefined }],
  ])('with %s', async (_what, other) => {
    const states = createStates();
    const sealed = await states.seal(call, state, ada);

    await expect(states.open(sealed, other, ada)).rejects.toEqual(otherCall);
  });

  it('from another client', async () => {
    const states = createStates();
    const sealed = await states.seal(call, state, ada);

    await expect(states.open(sealed, call, contextOf('eve'))).rejects.toEqual(notOurs);
  });

  it('from another process, whose key is its own', async () => {
    const sealed = await createStates().seal(call, state, ada);

    await expect(createStates().open(sealed, call, ada)).rejects.toEqual(notOurs);
  });

  it('whichever of its characters was changed', async () => {
    const states = createStates();
    const sealed = await states.seal(call, state, ada);
    // The last character of a base64 text can hold bits that mean nothing.
    const changed = Array.from({ length: sealed.length - 1 }, (_, index) => {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      return `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
    });

    const outcomes = await Promise.all(
      changed.map((one) => states.open(one, call, ada).catch((error: unknown) => error)),
    );

    expect(outcomes).toEqual(changed.map(() => notOurs));
  });

  it.each(['', '.', 'v1.', 'v1..', 'v1.e30.', 'v1.e30.AAAA', 'null', 'x'.repeat(100_000), '\u0000'])(
    'when it is %j, which nobody sealed',
    async (sealed) => {
      await expect(createStates().open(sealed, call, ada)).rejects.toEqual(notOurs);
    },
  );

  it('after a day, and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
    const states = createStates();
    const sealed = await states.seal(call, state, ada);

    vi.setSystemTime(Date.UTC(2026, 0, 1) + aDayMs);
    const inTime = await states.open(sealed, call, ada);
    vi.setSystemTime(Date.UTC(2026, 0, 1) + aDayMs + 1_000);
    const late = states.open(sealed, call, ada);

    expect(inTime).toEqual(state);
    await expect(late).rejects.toEqual(notOurs);
  });
});
