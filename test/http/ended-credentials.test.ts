import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FairTurns } from '../../src/http/auth/fair-turns.js';
import { createEndpoint } from '../../src/http/endpoint.js';
import { deferred } from '../kit/deferred.js';
import { loginScene } from '../kit/login-scene.js';
import { NEGOTIATION, type Era } from '../kit/server-client.js';

/** A service with one tool, which waits until its call is aborted. */
function scene(turns: Pick<FairTurns, 'next'> = new FairTurns()) {
  const [begun, aborted] = [deferred(), deferred()];
  const closed: string[] = [];
  let hasBegun = false;
  const login = loginScene({
    endpointFor: ({ leases, clock }) =>
      createEndpoint({
        factory({ era }) {
          const server = new McpServer({ name: 'waiting', version: '1.0.0' });
          server.registerTool('wait', {}, async ({ mcpReq: { signal } }) => {
            hasBegun = true;
            signal.addEventListener('abort', () => aborted.resolve());
            begun.resolve();
            await aborted.promise;
            return { content: [] };
          });
          // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a callback of the SDK, which has no events
          server.server.onclose = () => closed.push(era);
          return server;
        },
        clock,
        leases,
        logger: { log: () => undefined },
        maxBodyBytes: 10_000,
        keepAliveMs: 15_000,
        legacyIdleMs: 3_600_000,
        turns,
        maxLegacySessions: 10,
        maxConnections: 1_000,
      }),
  });
  const transportWith = (token: string, sessionId?: string): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL('http://127.0.0.1:8137/mcp'), {
      fetch: (url, init) =>
        login.fetch(new URL(url).pathname, {
          ...init,
          headers: Object.fromEntries(new Headers(init?.headers)),
          token,
        }),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
  const connect = async (era: Era, token: string) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: NEGOTIATION[era] });
    const transport = transportWith(token);
    await client.connect(transport);
    onTestFinished(() => client.close());
    return { client, transport };
  };
  return { ...login, begun, aborted, closed, connect, hasBegun: () => hasBegun };
}

describe.each(['modern', 'legacy'] as const)('in the %s era, a waiting call', (era) => {
  it('is aborted when its token is revoked, and the next request is refused', async () => {
    const { createToken, tokens, clock, connect, begun, aborted } = scene();
    const { client } = await connect(era, await createToken('laptop', ['call']));
    const call = client.callTool({ name: 'wait' }).catch((error: unknown) => error);
    await begun.promise;

    await tokens.revoke('laptop');
    await clock.pass(1_000);
    await aborted.promise;

    await expect(client.listTools()).rejects.toThrow(/401|Unauthorized|unknown, or it was revoked/);
    await client.close();
    expect(await call).toBeInstanceOf(Error);
  });

  it('is aborted when its token expires', async () => {
    const { createToken, clock, connect, begun, aborted } = scene();
    const { client } = await connect(era, await createToken('laptop', ['call'], clock.now() + 1_000));
    const call = client.callTool({ name: 'wait' }).catch((error: unknown) => error);
    await begun.promise;

    await clock.pass(1_000);
    await aborted.promise;

    await client.close();
    expect(await call).toBeInstanceOf(Error);
  });
});

describe('a request whose body is still arriving', () => {
  const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } };
  const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope } };

  it.each([
    ['is revoked', begin, 'wrong_token'],
    ['is revoked', list, 'wrong_token'],
    ['expires', begin, 'expired_token'],
    ['expires', list, 'expired_token'],
  ] as const)('is refused if its token %s meanwhile: %j', async (how, message, reason) => {
    const { createToken, tokens, clock, fetch, closed, audited } = scene();
    const token = await createToken('laptop', ['call'], clock.now() + 1_000);
    const text = JSON.stringify(message);
    const parts = [text.slice(0, -1), text.slice(-1)].values();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent === 1 && how === 'expires') clock.advance(1_000);
        else if (sent === 1) await tokens.revoke('laptop');
        sent += 1;
        const { done, value } = parts.next();
        if (done === true) controller.close();
        else controller.enqueue(Buffer.from(value));
      },
    });

    const answer = await fetch('/mcp', {
      method: 'POST',
      token,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': message.method,
      },
      body,
      duplex: 'half',
    });

    expect([answer.status, sent]).toEqual([401, 3]);
    expect(audited).toMatchObject([{ what: 'request_refused', reason }]);
    expect(closed).toEqual([]);
  });
});

describe('a request that waits for its turn', () => {
  it.each(['modern', 'legacy'] as const)(
    'never begins if its token is revoked meanwhile: %s',
    async (era) => {
      const [isWaiting, hasTurn] = [deferred(), deferred()];
      let isTaken = false;
      const turns = {
        async next() {
          if (!isTaken) return;
          isWaiting.resolve();
          await hasTurn.promise;
        },
      };
      const { createToken, tokens, login, connect, audited, hasBegun } = scene(turns);
      const { client } = await connect(era, await createToken('laptop', ['call']));
      isTaken = true;
      const call = client.callTool({ name: 'wait' }).catch((error: unknown) => error);
      await isWaiting.promise;

      await tokens.revoke('laptop');
      await login.leases.check();
      hasTurn.resolve();

      expect(await call).toBeInstanceOf(Error);
      expect(hasBegun()).toBe(false);
      expect(audited).toContainEqual(
        expect.objectContaining({ what: 'request_refused', reason: 'wrong_token' }),
      );
    },
  );
});

describe('a connection of the 2025 protocols', () => {
  it('closes with its token, although no request is open', async () => {
    const { createToken, tokens, clock, connect, closed } = scene();
    await connect('legacy', await createToken('laptop', ['call']));

    await tokens.revoke('laptop');
    await clock.pass(1_000);

    await expect.poll(() => closed).toEqual(['legacy']);
  });

  it('is not found by another token of the same principal', async () => {
    const { createToken, fetch, connect } = scene();
    const laptop = await createToken('laptop', ['call', 'approve']);
    const { transport } = await connect('legacy', laptop);
    const answer = (token: string) =>
      fetch('/mcp', {
        method: 'POST',
        token,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': transport.sessionId ?? '',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 0, result: { action: 'accept', content: {} } }),
      });

    const own = await answer(laptop);
    const other = await answer(await createToken('script', ['call']));

    expect(own.status).toBe(202);
    expect({ status: other.status, body: await other.json() }).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringMatching(/^Session not found: .* Connect again\.$/) } },
    });
  });
});
