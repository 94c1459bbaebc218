import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

it.each([
  ['by a relative entry', () => './node_modules/.bin'],
  ['as npm puts it there', (project: string) => join(project, 'node_modules', '.bin')],
])('an untrusted folder on the PATH (%s) supplies no program, a trusted one does', async (_how, entryIn) => {
  const { model, sandbox } = await startBackstage();
  const { root, project } = sandbox;
  const env = { PATH: `${entryIn(project)}:${process.env['PATH']}` };
  const server = await connectServer({ sandbox, model, era: 'modern', env });
  onTestFinished(() => server.close());
  const [traces, bin] = [join(root, 'traces'), join(project, 'node_modules', '.bin')];
  for (const folder of [traces, bin]) mkdirSync(folder, { recursive: true });
  for (const name of ['git', 'ls', 'rg', 'node'])
    writeFileSync(join(bin, name), `#!/bin/sh\n/usr/bin/touch ${traces}/${name}\n`, { mode: 0o755 });
  model.when('go', [tool('Bash', { command: 'ls' }), text('done')]);
  const start = () => server.call('claude_code', { prompt: 'go', cwd: project, waitMs: 20_000 });

  const untrusted = await start();
  const ran = readdirSync(traces);
  await server.call('claude_code_session', { action: 'cancel', sessionId: untrusted.json.sessionId });
  sandbox.trustFolder(project);
  await start();

  expect({ status: untrusted.json.status, ran }).toEqual({ status: 'idle', ran: [] });
  expect(readdirSync(traces)).toContain('ls');
});
