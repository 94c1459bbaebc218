import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeDevices } from '../../src/app/page/compose-devices.js';
import { open, type OpenSettings, type RunningPage } from '../../src/commands/open.js';
import { ConfigError } from '../../src/config/config-error.js';
import { FakeClock } from '../kit/fake-clock.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const service: RunningPage = { origin: 'http://127.0.0.1:8137', kind: 'service', cwd: '/srv' };
const beside: RunningPage = { origin: 'http://127.0.0.1:4711', kind: 'stdio', cwd: '/work' };

function scene(settings: Partial<OpenSettings> = {}) {
  const clock = new FakeClock();
  const { codes, folder } = composeDevices(temporaryFolder(), clock);
  const opened: string[] = [];
  const all: OpenSettings = {
    pages: [service],
    codes,
    principals: ['owner', 'alice'],
    folder,
    now: clock.now(),
    async openFile(path) {
      opened.push(path);
      return true;
    },
    ...settings,
  };
  return { folder, codes, opened, clock, run: (own: object = {}, json = false) => open({ own, json }, all) };
}

function codeIn(text: string): string {
  return /#pair=([\w-]{43})/.exec(text)?.[1] ?? '';
}

describe('open', () => {
  it('opens a private file that leads to the page, because programs can read the arguments of others', async () => {
    const { run, opened, folder, codes, clock } = scene();

    const { text, notes } = await run();

    const path = join(folder, 'open.html');
    expect(opened).toEqual([path]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const code = codeIn(readFileSync(path, 'utf8'));
    expect(text).toBe(
      `Opened http://127.0.0.1:8137 (service) in your browser.\nIf nothing appears, open this link within two minutes. It works once:\n  http://127.0.0.1:8137/#pair=${code}\n`,
    );
    expect(notes).toEqual([]);
    expect(await codes.use(code, clock.now())).toBe('owner');
  });

  it('prints nothing but the link with --print', async () => {
    const { run, opened } = scene();

    const { text } = await run({ print: '1' });

    expect(text).toMatch(/^http:\/\/127\.0\.0\.1:8137\/#pair=[\w-]{43}\n$/);
    expect(opened).toEqual([]);
  });

  it('prints the link and its expiry with --json', async () => {
    const { run, opened, clock } = scene({ pages: [service, beside] });

    const { text, notes } = await run({}, true);

    expect(JSON.parse(text)).toEqual({
      url: `${service.origin}/#pair=${codeIn(text)}`,
      expiresAt: new Date(clock.now() + 120_000).toISOString(),
    });
    expect([opened, notes.length]).toEqual([[], 1]);
  });

  it('shows the link where no browser can be opened, and leaves no file', async () => {
    const { run, folder } = scene({ openFile: async () => false });

    const { text } = await run();

    expect(text).toMatch(/^Open this link in your browser within two minutes\. It works once:\n {2}http/);
    expect(existsSync(join(folder, 'open.html'))).toBe(false);
  });

  it('opens the newest page and names the others', async () => {
    const { run } = scene({ pages: [beside, service] });

    const { text, notes } = await run({ print: '1' });

    expect(text).toContain(beside.origin);
    expect(notes).toEqual(['Another page is running: http://127.0.0.1:8137 (service)']);
  });

  it('names the folder of a server without acting on its name', async () => {
    const { run } = scene({ pages: [{ ...beside, cwd: '/srv/\u001b[2Jx' }] });

    expect((await run()).text).toContain(String.raw`in /srv/\u{1b}[2Jx)`);
  });

  it('pairs a browser with another principal on the page of a service only', async () => {
    const { run, codes, clock } = scene({ pages: [beside, service] });

    const { text } = await run({ print: '1', principal: 'alice' });

    expect(text).toContain(service.origin);
    expect(await codes.use(codeIn(text), clock.now())).toBe('alice');
  });

  it.each([
    [
      { pages: [] },
      {},
      /^no page is running in this state folder\. Start a service with "claude-code-mcp serve", or add --web/,
    ],
    [{ pages: [beside] }, { principal: 'alice' }, /^no service is running/],
    [{}, { principal: 'bob' }, /^--principal bob: not configured\. Principals: owner, alice\./],
  ])('says what to do with %j and %j', async (settings, own, message) => {
    const { run } = scene(settings);

    await expect(run(own)).rejects.toThrow(ConfigError);
    await expect(run(own)).rejects.toThrow(message);
  });
});
