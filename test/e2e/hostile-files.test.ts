import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';

// Git keeps links. This file has size 0 and hundreds of gigabytes of content.
const endless = '/proc/self/pagemap';

it.skipIf(process.platform !== 'linux')(
  'a repository whose settings are a link to an endless file is refused, and takes no memory',
  async () => {
    const { server, sandbox } = await startScene({ era: 'modern' });
    mkdirSync(join(sandbox.project, '.claude'));
    symlinkSync(endless, join(sandbox.project, '.claude', 'settings.local.json'));

    const { text } = await server.call('claude_code', { prompt: 'hello', cwd: sandbox.project });

    expect(text).toContain('settings.local.json');
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])).toBeLessThan(400_000);
  },
);

it('no session works in a folder of keys that is a link, as dotfile managers create it', async () => {
  const { server, sandbox } = await startScene({ era: 'modern' });
  const real = join(sandbox.root, 'dotfiles', 'keys');
  mkdirSync(real, { recursive: true });
  writeFileSync(join(real, 'id_rsa'), 'the private key');
  symlinkSync(real, join(sandbox.home, '.ssh'));

  const answers = await Promise.all(
    [join(sandbox.home, '.ssh'), real].map((cwd) => server.call('claude_code', { prompt: 'hello', cwd })),
  );

  expect(answers.map(({ text }) => text)).toEqual([
    expect.stringContaining('where programs keep keys and passwords'),
    expect.stringContaining('where programs keep keys and passwords'),
  ]);
});
