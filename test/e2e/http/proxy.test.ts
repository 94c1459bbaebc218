import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBackstage, type Scene } from '../../kit/fixture.js';
import { createGate } from '../../kit/gate.js';
import { gate, text, tool } from '../../kit/model-steps.js';
import { freePort, hasNginx, startNginx } from '../../kit/nginx.js';
import { accept, formCapability, seatPerson } from '../../kit/person.js';
import type { Era } from '../../kit/server-client.js';
import { connectHttp, startService, type RunningService } from '../../kit/service.js';
import { tappedFetch } from '../../kit/tapped-fetch.js';

/** With 75 seconds, the proxy has its default timeout and the service its default interval. */
const seconds = Number(process.env['SILENCE_SECONDS'] ?? 5);
const intervals = 5;

it.runIf(hasNginx)(
  `through a reverse proxy, a session is approved by a form and by a tool, and is silent for ${seconds} s`,
  async () => {
    const backstage = await startBackstage();
    const service = await startBehindNginx(backstage);

    // One after the other: a person is asked about all sessions of the principal.
    const modern = await runFlow('modern', service, backstage);
    const legacy = await runFlow('legacy', service, backstage);

    expect([modern, legacy]).toEqual([
      { forms: 1, first: 'By form.', asked: 'waiting', last: 'After silence.', files: [true, true] },
      { forms: 1, first: 'By form.', asked: 'waiting', last: 'After silence.', files: [true, true] },
    ]);
  },
  seconds * 2_000 + 60_000,
);

async function startBehindNginx({
  sandbox,
  model,
}: Pick<Scene, 'sandbox' | 'model'>): Promise<RunningService> {
  const [own, proxy] = [await freePort(), await freePort()];
  const service = await startService({
    sandbox,
    model,
    args: ['--port', String(own), '--behind-proxy', '--public-url', `http://127.0.0.1:${proxy}`],
    env: {
      CLAUDE_CODE_MCP_APPROVALS: 'any',
      CLAUDE_CODE_MCP_MAX_WAIT_MS: '600000',
      CLAUDE_CODE_MCP_KEEP_ALIVE_MS: String((seconds / intervals) * 1_000),
    },
  });
  await startNginx({
    port: proxy,
    upstream: `http://127.0.0.1:${own}`,
    readTimeoutSeconds: Math.floor(seconds * 0.8),
  });
  return service;
}

async function runFlow(
  era: Era,
  { url, token }: RunningService,
  { sandbox, model }: Pick<Scene, 'sandbox' | 'model'>,
): Promise<object> {
  const silence = createGate();
  model.when(`first ${era}`, [tool('Bash', { command: `touch ${era}-1` }), text('By form.')]);
  model.when(`second ${era}`, [
    tool('Bash', { command: `touch ${era}-2` }),
    gate(silence, text('After silence.')),
  ]);
  const withPerson = await connectHttp(url, { era, token, capabilities: formCapability });
  const person = seatPerson({ ...withPerson, takesTime: (ms) => pause(ms) }, () =>
    accept({ decision: 'allow' }),
  );
  const tap = tappedFetch();
  const alone = await connectHttp(url, { era, token, fetch: tap.fetch });
  const waitMs = 500_000;
  const timeout = 500_000;

  const first = await withPerson.call(
    'claude_code',
    { prompt: `first ${era}`, cwd: sandbox.project, waitMs },
    { timeout },
  );
  const { sessionId } = first.json;
  await withPerson.client.close();
  const asked = await alone.call('claude_code_reply', { sessionId, prompt: `second ${era}`, waitMs });
  const requestId = asked.json.actions?.[0]?.requestId;
  const last = alone.call('claude_code_respond', { requestId, decision: 'allow', waitMs }, { timeout });
  await silence.reached;
  // The first of them may come at once.
  await tap.until(': keepalive', intervals + 1);
  silence.open();

  return {
    forms: person.forms.length,
    first: first.json.result?.result,
    asked: asked.json.status,
    last: (await last).json.result?.result,
    files: [1, 2].map((index) => existsSync(join(sandbox.project, `${era}-${index}`))),
  };
}
