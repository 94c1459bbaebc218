import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/app/app.js';
import { loadSettings } from '../../src/config/load.js';
import { Permits } from '../../src/session/services/permits.js';
import { Slots } from '../../src/session/services/slots.js';
import { FakeClock } from '../kit/fake-clock.js';
import { configInProcess, createPlayedWorld, openPlayed } from '../kit/in-process.js';
import { createSandbox } from '../kit/sandbox.js';
import { clientOf } from '../mcp/list-tools.js';

it('the answer of each call and each resource of a session takes a turn of its principal', async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const clock = new FakeClock(Date.now());
  const environment = sandbox.env();
  const { settings } = loadSettings({}, environment);
  const { config } = await configInProcess({ settings, environment, sandbox, clock });
  const asked: string[] = [];
  const tenant = {
    serviceDir: sandbox.stateDir,
    keyFolder: join(sandbox.root, 'config'),
    places: new Map<string, string>(),
    slots: new Slots(1),
    permits: new Permits(1),
    nextTurn: async (login: string) => void asked.push(login),
  };
  const openBackend = openPlayed(createPlayedWorld(sandbox).world);
  const app = await createApp({ ...config, tenant }, { clock, openBackend });
  onTestFinished(() => app.close());
  const client = await clientOf(app.factory);

  await client.callTool({ name: 'claude_code_session', arguments: { action: 'list' } });
  await client.readResource({ uri: 'claude-code://sessions' });

  expect(asked).toEqual(['', '']);
});
