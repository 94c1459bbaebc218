import { expect, it, onTestFinished } from 'vitest';
import { composeTokens } from '../../../src/app/service/compose-tokens.js';
import { startBackstage } from '../../kit/fixture.js';
import { connectHttp, startService } from '../../kit/service.js';

it('a token without approve does not keep the person of the same principal out', async () => {
  const { sandbox, model } = await startBackstage();
  const tokens = composeTokens(sandbox.stateDir);
  const now = Date.now();
  const script = await tokens.create({ name: 'script', principal: 'owner', scopes: ['call'], now });
  const person = await tokens.create({ name: 'me', principal: 'owner', scopes: ['call', 'approve'], now });
  const { url } = await startService({ sandbox, model, args: ['--max-connections', '20'] });
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = {
    authorization: `Bearer ${script}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', clientInfo: { name: 'x', version: '1' }, capabilities: {} },
  });
  for (let count = 0; count < 10; count += 1) {
    const opened = await fetch(url, { method: 'POST', headers, body });
    await opened.text();
    const id = opened.headers.get('mcp-session-id') ?? '';
    await fetch(url, { headers: { ...headers, 'mcp-session-id': id }, signal: abort.signal });
  }

  const answer = await connectHttp(url, { era: 'modern', token: person })
    .then(({ call }) => call('claude_code_session', { action: 'list' }))
    .then(({ isError }) => isError, String);

  expect(answer).toBe(false);
});
