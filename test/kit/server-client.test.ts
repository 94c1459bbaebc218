import { mkdirSync, realpathSync, symlinkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startScene } from './fixture.js';
import { createSandbox } from './sandbox.js';
import { connectServer, type Era } from './server-client.js';

const entry = fileURLToPath(new URL('tiny-server.mjs', import.meta.url));
const eras: readonly Era[] = ['modern', 'legacy'];

it.each(eras)('connects a %s client with one process and its own environment', async (era) => {
  const { server, sandbox } = await startScene({ era, entry, args: ['--flag'] });

  const who = await server.call('who');
  const failed = await server.call('fail');
  const progress: number[] = [];
  await server.call('progress', {}, { onprogress: (update) => progress.push(update.progress) });

  expect(who).toMatchObject({
    isError: false,
    json: { era, home: sandbox.home, cwd: sandbox.project, argv: ['--flag'] },
  });
  expect([failed.isError, failed.text]).toEqual([true, 'Error [TEST]: as asked']);
  expect(progress).toEqual([1]);
  expect(server.stderr()).toBe(`tiny server ${server.pid}\n`);
  expect(sandbox.processes()).toMatchObject([
    { pid: server.pid, command: expect.stringContaining('tiny-server.mjs') },
  ]);
});

it.each(eras)('lets a %s client answer a form', async (era) => {
  const { server } = await startScene({ era, entry, capabilities: { elicitation: { form: {} } } });
  server.client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));

  expect(await server.call('ask')).toMatchObject({ isError: false, json: { name: 'Ada' } });
});

it('keeps output that is not JSON-RPC, and reports how the server exited', async () => {
  const { server } = await startScene({ era: 'modern', entry });
  await server.call('chatter');
  server.kill('SIGKILL');

  expect(server.strayLines()).toEqual(['a log line where none belongs']);
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

it('lets the server exit by itself when its input ends', async () => {
  const { server } = await startScene({ era: 'legacy', entry });
  server.endInput();

  expect(await server.exited).toEqual({ code: 0, signal: null });
});

it('finds orphans in a sandbox, and removes its folder', async () => {
  const sandbox = createSandbox();
  const server = await connectServer({ sandbox, era: 'modern', entry });
  const orphan = JSON.parse((await server.call('leave-orphan')).text) as { pid: number };
  await server.close();

  expect(sandbox.processes()).toEqual([{ pid: orphan.pid, command: 'sleep 60' }]);
  process.kill(orphan.pid, 'SIGKILL');
  await sandbox.remove();
  expect(() => realpathSync(sandbox.root)).toThrow('ENOENT');
});

it('reports why a server did not connect', async () => {
  const sandbox = createSandbox();
  const missing = join(sandbox.root, 'missing.js');

  await expect(connectServer({ sandbox, era: 'modern', entry: missing })).rejects.toThrow(
    'Cannot find module',
  );
  await sandbox.remove();
});

it('records trust by the real path, and keeps earlier records', async () => {
  const sandbox = createSandbox();
  const [real, link] = [join(sandbox.root, 'real'), join(sandbox.root, 'link')];
  mkdirSync(real);
  symlinkSync(real, link);
  sandbox.trustFolder(sandbox.project);
  sandbox.trustFolder(link);

  expect(JSON.parse(readFileSync(join(sandbox.configDir, '.claude.json'), 'utf8'))).toEqual({
    projects: {
      [sandbox.project]: { hasTrustDialogAccepted: true },
      [real]: { hasTrustDialogAccepted: true },
    },
  });
  await sandbox.remove();
});
