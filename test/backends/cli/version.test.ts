import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVersionCheck } from '../../../src/backends/cli/version.js';
import { canRunAs, uids, userOf } from '../../kit/system-users.js';

const env = { PATH: process.env['PATH'] ?? '' };
const { signal } = new AbortController();

/** An executable that does this when it is asked for its version, and can be given other words. */
function install(script: string): { path: string; replace: (script: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'ccm-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'claude');
  const replace = (body: string): void => {
    rmSync(path, { force: true });
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
  };
  replace(script);
  return { path, replace };
}

describe.skipIf(process.platform === 'win32')('the version of an executable', () => {
  it.each(['2.1.315 (Claude Code)', '2.1.325 (Claude Code)', '2.10.3'])('%s is accepted', async (said) => {
    const { path } = install(`echo '${said}'`);

    await expect(createVersionCheck(env)(path, signal)).resolves.toBeUndefined();
  });

  it.each(['1.9.999 (Claude Code)', '2.0.999', '2.1.314', '3.0.0', 'hello'])(
    '%s is rejected with an explanation',
    async (said) => {
      const { path } = install(`echo '${said}'`);

      await expect(createVersionCheck(env)(path, signal)).rejects.toThrow(
        `the cli backend needs Claude Code 2.1.315 or later, below 3, but ${path} --version printed "${said}"`,
      );
    },
  );

  it('is checked once, and again when the file changes', async () => {
    const { path, replace } = install('echo 2.1.325; echo asked >> "$0.log"');
    const check = createVersionCheck(env);
    await check(path, signal);
    await check(path, signal);

    replace('echo 1.0.0');

    await expect(check(path, signal)).rejects.toThrow('"1.0.0"');
  });

  it.skipIf(!canRunAs)('is asked of a process of the user that runs the session', async () => {
    const { path } = install('echo "by $(id -u) in $(id -G)"');
    chmodSync(dirname(path), 0o755);

    const check = createVersionCheck(env, { user: userOf('alice') })(path, signal);

    await expect(check).rejects.toThrow(`--version printed "by ${uids.alice} in ${uids.alice}"`);
  });

  it('is asked of a process that is marked as part of the launch', async () => {
    const { path } = install('echo "marked$MARK"');

    const check = createVersionCheck(env)(path, signal, { MARK: ' by heron' });

    await expect(check).rejects.toThrow('--version printed "marked by heron"');
  });

  it('is rejected when the executable does not print it in time', async () => {
    const { path } = install('exec sleep 60');

    await expect(createVersionCheck(env, { limitMs: 100 })(path, signal)).rejects.toThrow(
      '--version did not finish within 0.1 s',
    );
  });

  it('is no longer checked when the caller aborts', async () => {
    const { path } = install('exec sleep 60');
    const givenUp = new AbortController();

    const asked = createVersionCheck(env)(path, givenUp.signal);
    givenUp.abort();

    await expect(asked).resolves.toBeUndefined();
  });

  it('is ignored for an executable that cannot be run', async () => {
    await expect(createVersionCheck(env)('/no/such/claude', signal)).resolves.toBeUndefined();
  });
});
