import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { createGate } from '../../kit/gate.js';
import { gate, text } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';
import { tappedFetch } from '../../kit/tapped-fetch.js';
import { until } from '../../kit/until.js';

const eras = ['modern', 'legacy'] as const;

it('SIGTERM answers waiting calls, refuses new ones and ends the sessions', async () => {
  const { model, sandbox } = await startBackstage();
  const service = await startService({ sandbox, model, env: { CLAUDE_CODE_MCP_KEEP_ALIVE_MS: '100' } });
  const { url, token } = service;
  const waiting = [];
  for (const era of eras) {
    const held = createGate();
    model.when(`hold ${era}`, [gate(held, text('Done.'))]);
    const tap = tappedFetch();
    const { call } = await connectHttp(url, { era, token, fetch: tap.fetch });
    waiting.push(call('claude_code', { prompt: `hold ${era}`, cwd: sandbox.project, waitMs: 40_000 }));
    await held.reached;
    await tap.until(': keepalive');
  }
  const readyUrl = url.replace('/mcp', '/readyz');
  const before = await fetch(readyUrl);

  service.kill('SIGTERM');
  const notReady = until('the service is not ready', async () => (await fetch(readyUrl)).status === 503);
  const refused = await notReady.then(() => fetch(url, { method: 'POST', headers: bearer(token) }));
  const answers = await Promise.all(waiting);
  const code = await service.exited;

  expect([before.status, refused.status]).toEqual([200, 503]);
  for (const { json } of answers)
    expect(json).toMatchObject({ status: 'error', result: { errorSubtype: 'server_restarted' } });
  expect(code).toBe(0);
});

function bearer(token: string | undefined): Record<string, string> {
  return { authorization: `Bearer ${token ?? ''}` };
}
