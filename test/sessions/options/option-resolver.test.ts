import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EffectiveOptions, RequestedOptions } from '../../../src/core/options/index.js';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { checkedBefore } from '../../../src/policy/approvals.js';
import type { PolicySettings } from '../../../src/policy/settings.js';
import { OptionResolver, withoutUndefined } from '../../../src/sessions/options/option-resolver.js';
import { plainPolicy } from '../../kit/policy.js';
import { blindRedactor } from '../../kit/redactors.js';

async function createDesk(
  policy: Partial<PolicySettings> = {},
  defaultIn = (root: string): string => join(root, 'project'),
) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'desk-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [home, project, other] = [join(root, 'home'), join(root, 'project'), join(root, 'other')];
  await Promise.all([home, project, other].map((folder) => mkdir(folder)));
  await symlink(project, join(root, 'link'));
  const learnt: string[] = [];
  const desk = new OptionResolver({
    policy: { ...plainPolicy, ...policy },
    redactor: { ...blindRedactor, learn: (values) => void learnt.push(...values) },
    folders: {
      claudeHome: resolveClaudeHome({ home }),
      defaultCwd: defaultIn(root),
      bounds: {
        home,
        stateDir: join(root, 'state'),
        claudeDir: join(home, '.claude'),
        listed: [],
        trusted: [],
        roots: [],
      },
    },
  });
  const resolve = (requested: RequestedOptions = {}): Promise<EffectiveOptions> =>
    desk.resolve(requested, checkedBefore);
  return { desk, resolve, root, project, other, learnt };
}

describe("a caller's request", () => {
  it('resolves to the default folder, or to the real path of the requested one', async () => {
    const { resolve, root, project } = await createDesk();

    expect((await resolve()).cwd).toBe(project);
    expect((await resolve({ cwd: join(root, 'link') })).cwd).toBe(project);
  });

  it('is refused in the words of the default folder if it names none and that one is unusable', async () => {
    const { resolve, root } = await createDesk({}, (root) => join(root, 'none'));
    const { resolve: resolveAtHome, root: another } = await createDesk({}, (root) => join(root, 'home'));

    await expect(resolve()).rejects.toThrow(`the default folder ${join(root, 'none')} does not exist`);
    await expect(resolveAtHome()).rejects.toThrow(
      `the default folder ${join(another, 'home')} is not allowed`,
    );
  });

  it('adds its secrets to the redactor if it is granted, and nothing if it is refused', async () => {
    const { resolve, learnt } = await createDesk();
    const { resolve: resolveTrusted, learnt: learntTrusted } = await createDesk({ callerTrust: 'full' });

    await expect(resolve({ env: { LD_PRELOAD: 'a-secret-1' } })).rejects.toThrow('env.LD_PRELOAD');
    await resolveTrusted({ env: { LD_PRELOAD: 'a-secret-1' } });

    expect([learnt, learntTrusted]).toEqual([[], ['a-secret-1']]);
  });
});

describe('the options for a reply', () => {
  it('are those of the live process if nothing changes', async () => {
    const { desk, resolve } = await createDesk();
    const session = { isLive: true, options: await resolve({ model: 'haiku' }) };

    expect(await desk.forReply(session, { changes: {}, limits: {} }, checkedBefore)).toBeUndefined();
    expect(
      await desk.forReply(session, { changes: { model: undefined }, limits: {} }, checkedBefore),
    ).toBeUndefined();
  });

  it('are resolved again for a session without a process', async () => {
    const { desk, resolve } = await createDesk();
    const options = await resolve({ model: 'haiku', allowedTools: ['Read'] });

    expect(
      await desk.forReply({ isLive: false, options }, { changes: {}, limits: {} }, checkedBefore),
    ).toEqual({ options, narrowed: [] });
  });

  it('are the previous options with the changes', async () => {
    const { desk, resolve } = await createDesk();
    const options = await resolve({ model: 'haiku', title: 'birds' });

    const changed = await desk.forReply(
      { isLive: true, options },
      { changes: { model: 'opus' }, limits: {} },
      checkedBefore,
    );

    expect(changed).toEqual({ options: { ...options, model: 'opus' }, narrowed: [] });
  });

  it('lose what the reply unsets, but not their folder', async () => {
    const { desk, resolve } = await createDesk();
    const options = await resolve({ title: 'birds', persistSession: true });
    const outputFormat = { type: 'json_schema', schema: { type: 'object' } } as const;
    const session = { isLive: true, options: { ...options, outputFormat } };

    const changed = await desk.forReply(
      session,
      { changes: { outputFormat: null, cwd: null, persistSession: null }, limits: {} },
      checkedBefore,
    );

    expect(changed).toEqual({ options, narrowed: [] });
  });

  it('lose additional folders that are gone', async () => {
    const { desk, resolve, root, other } = await createDesk();
    const options = await resolve({ additionalDirectories: [other] });
    const session = {
      isLive: false,
      options: { ...options, additionalDirectories: [other, join(root, 'gone')] },
    };

    const resumed = await desk.forReply(session, { changes: {}, limits: {} }, checkedBefore);

    expect(resumed).toEqual({ options, narrowed: ['additionalDirectories'] });
    await expect(
      desk.forReply(
        session,
        { changes: { additionalDirectories: [join(root, 'gone')] }, limits: {} },
        checkedBefore,
      ),
    ).rejects.toThrow('does not exist');
  });

  it('get the time to start that the operator gives today, if it is longer', async () => {
    const { desk, resolve } = await createDesk({ startTimeoutMs: 45_000 });
    const session = { isLive: false, options: { ...(await resolve()), sessionInitTimeoutMs: 10_000 } };

    expect(await desk.forReply(session, { changes: {}, limits: {} }, checkedBefore)).toMatchObject({
      options: { sessionInitTimeoutMs: 45_000 },
      narrowed: [],
    });
  });

  it('fall to the limits of today, and keep what the reply lowers', async () => {
    const { desk, resolve } = await createDesk({ maxTurns: 5, maxBudgetUsd: 1 });
    const options = { ...(await resolve()), maxTurns: 50, maxBudgetUsd: 9 };
    const session = { isLive: false, options };

    expect(
      await desk.forReply({ ...session }, { changes: {}, limits: { maxTurns: 3 } }, checkedBefore),
    ).toMatchObject({ options: { maxTurns: 3, maxBudgetUsd: 1 }, narrowed: ['maxBudgetUsd'] });
  });

  it('stay in the folder of the session', async () => {
    const { desk, resolve, root, other } = await createDesk();
    const session = { isLive: false, options: await resolve() };

    await expect(
      desk.forReply(session, { changes: { cwd: other }, limits: {} }, checkedBefore),
    ).rejects.toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: 'a session cannot move to another folder',
      }),
    );
    expect(
      await desk.forReply(session, { changes: { cwd: join(root, 'link') }, limits: {} }, checkedBefore),
    ).toEqual({ options: session.options, narrowed: [] });
  });

  it("are narrowed by today's policy, unless the caller asks for them", async () => {
    const { desk: trusting, resolve: trust } = await createDesk({ callerTrust: 'full' });
    const { desk, project } = await createDesk();
    const session = { isLive: false, options: { ...(await trust({ debug: true })), cwd: project } };

    expect(await trusting.forReply(session, { changes: {}, limits: {} }, checkedBefore)).toMatchObject({
      options: { debug: true },
      narrowed: [],
    });
    expect(
      await desk.forReply(session, { changes: { title: 'x' }, limits: {} }, checkedBefore),
    ).toMatchObject({
      options: { debug: false, title: 'x' },
      narrowed: ['debug'],
    });
    await expect(
      desk.forReply(session, { changes: { debug: true }, limits: {} }, checkedBefore),
    ).rejects.toThrow('debug');
  });

  it('bypass approval only for a client that enabled it, even in a live process', async () => {
    const { desk, resolve } = await createDesk();
    const options = { ...(await resolve()), permissionMode: 'bypassPermissions' } as const;
    const session = { isLive: true, options };
    const unchanged = { changes: {}, limits: {} };

    expect(await desk.forReply(session, unchanged, checkedBefore)).toMatchObject({
      options: { permissionMode: 'default' },
      narrowed: ['permissionMode'],
    });
    expect(await desk.forReply(session, unchanged, { ...checkedBefore, bypass: 'caller' })).toEqual({
      options,
      narrowed: [],
    });
  });

  it('contain nothing from an earlier policy', async () => {
    const { desk, resolve } = await createDesk();
    const options = {
      ...(await resolve()),
      notes: ['trust me'],
      settingSources: ['user', 'project'] as const,
    };

    const again = await desk.again({ isLive: false, options }, checkedBefore);

    expect(again.options).toMatchObject({ notes: [], settingSources: ['user'] });
  });
});

describe('the limits of a reply', () => {
  it('are refused above the cap', async () => {
    const { desk } = await createDesk({ maxTurns: 5, maxBudgetUsd: 1 });

    expect(() => desk.refuseOverCap({})).not.toThrow();
    expect(() => desk.refuseOverCap({ maxTurns: 5, maxBudgetUsd: 1 })).not.toThrow();
    expect(() => desk.refuseOverCap({ maxTurns: 6 })).toThrow('maxTurns 6');
    expect(() => desk.refuseOverCap({ maxBudgetUsd: 1.01 })).toThrow('maxBudgetUsd 1.01');
  });
});

describe('withoutUndefined', () => {
  it('keeps every value except undefined', () => {
    expect(withoutUndefined({ a: undefined, b: null, c: 0, d: '', e: false })).toEqual({
      b: null,
      c: 0,
      d: '',
      e: false,
    });
  });
});
