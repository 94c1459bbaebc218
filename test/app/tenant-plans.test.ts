import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planTenants, type TenantPlan } from '../../src/app/service/tenant-plans.js';
import { ConfigError } from '../../src/config/config-error.js';
import { loadSettings } from '../../src/config/load.js';
import { checkPrincipals } from '../../src/config/principals.js';
import { FakeClock } from '../kit/fake-clock.js';
import { configInProcess } from '../kit/in-process.js';
import { canRunAs, uids, userOf } from '../kit/system-users.js';
import { createSandbox, type Sandbox } from '../kit/sandbox.js';

interface Scene {
  readonly sandbox: Sandbox;
  /** Creates a folder beside the project. */
  readonly folder: (name: string) => string;
  readonly plan: (
    principals: Readonly<Record<string, object>>,
    env?: Readonly<Record<string, string>>,
    file?: string,
  ) => Promise<{ readonly plans: ReadonlyMap<string, TenantPlan>; readonly stderr: () => string }>;
}

function stage(): Scene {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  return {
    sandbox,
    folder(name) {
      const path = join(sandbox.root, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    async plan(principals, env = {}, file = '/c.json') {
      const environment = {
        ...sandbox.env(),
        CLAUDE_CODE_MCP_ROOTS: sandbox.project,
        CLAUDE_CODE_MCP_ACCEPT_SHARED_UID: '1',
        ...env,
      };
      const { settings } = loadSettings({}, environment);
      const { config, stderr } = await configInProcess({
        settings,
        environment,
        sandbox,
        clock: new FakeClock(),
      });
      return { plans: planTenants(config, checkPrincipals(file, principals)), stderr };
    },
  };
}

describe('a plan', () => {
  it('gives each principal its own folders, which only the user can read', async () => {
    const { sandbox, folder, plan } = stage();
    const [roots, trustedRoots] = [[folder('alice')], [folder('alice/ours')]];

    const { plans } = await plan({ 'alice@x.org': { roots, trustedRoots, maxSessions: 2 } });

    const own = join(sandbox.stateDir, 'principals', 'alice%40x.org');
    const { settings, environment } = plans.get('alice@x.org') ?? {};
    expect([...plans.keys()]).toEqual(['owner', 'alice@x.org']);
    expect(settings).toMatchObject({
      roots,
      trustedRoots,
      defaultCwd: roots[0],
      stateDir: join(own, 'state'),
      maxSessions: 2,
    });
    expect(environment).toMatchObject({ CLAUDE_CONFIG_DIR: join(own, 'claude'), HOME: sandbox.home });
    for (const path of [own, join(own, 'claude'), join(own, 'state')])
      expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('leaves the owner its state, its Claude Code and its secret', async () => {
    const { sandbox, folder, plan } = stage();
    const secret = 'a secret of the operator';

    const { plans } = await plan(
      { alice: { roots: [folder('alice')] } },
      { CLAUDE_CODE_MCP_RESUME_SECRET: secret },
    );

    const [owner, alice] = [plans.get('owner'), plans.get('alice')];
    expect(owner?.settings).toMatchObject({ stateDir: sandbox.stateDir, resumeSecret: secret });
    expect(owner?.environment).toMatchObject({ CLAUDE_CONFIG_DIR: sandbox.configDir });
    expect(alice?.settings.resumeSecret).toMatch(/^[\w-]{43}$/);
  });

  it('needs no principals, no roots and no consent for the owner alone', async () => {
    const { plan } = stage();

    const { plans } = await plan({}, { CLAUDE_CODE_MCP_ROOTS: '', CLAUDE_CODE_MCP_ACCEPT_SHARED_UID: '' });

    expect([...plans.keys()]).toEqual(['owner']);
  });

  it('needs consent to run several principals as one user of the system', async () => {
    const { sandbox, folder, plan } = stage();
    const principals = { alice: { roots: [folder('alice')] } };

    const refused = plan(principals, { CLAUDE_CODE_MCP_ACCEPT_SHARED_UID: '0' });

    await expect(refused).rejects.toThrow(
      /^2 principals .* separated at the API only.* To accept this, pass --accept-shared-uid\./,
    );
    expect(existsSync(join(sandbox.stateDir, 'principals'))).toBe(false);
  });
});

describe('folders', () => {
  it.each<[string, (scene: Scene) => Readonly<Record<string, object>>, RegExp]>([
    [
      'are the same',
      ({ folder }) => ({ alice: { roots: [folder('a')] }, bob: { roots: [folder('a')] } }),
      /^principals\.alice\.roots and principals\.bob\.roots overlap: .*Give alice and bob separate folders\.$/,
    ],
    [
      'lie in each other',
      ({ folder }) => ({ alice: { roots: [folder('a/b')] }, bob: { roots: [folder('x'), folder('a')] } }),
      /^principals\.alice\.roots and principals\.bob\.roots overlap/,
    ],
    [
      'meet through a link',
      ({ folder, sandbox }) => {
        symlinkSync(folder('a'), join(sandbox.root, 'link'));
        return { alice: { roots: [folder('a')] }, bob: { roots: [join(sandbox.root, 'link')] } };
      },
      /^principals\.alice\.roots and principals\.bob\.roots overlap/,
    ],
    [
      'meet through a link above them',
      ({ folder, sandbox }) => {
        const inner = folder('a/inner');
        symlinkSync(folder('a'), join(sandbox.root, 'link'));
        return { alice: { roots: [inner] }, bob: { roots: [join(sandbox.root, 'link', 'inner')] } };
      },
      /^principals\.alice\.roots and principals\.bob\.roots overlap/,
    ],
    [
      "lie in the owner's",
      ({ folder }) => ({ alice: { roots: [folder('project/alice')] } }),
      /^roots and principals\.alice\.roots overlap/,
    ],
    ['are missing', () => ({ alice: {} }), /^\/c\.json: principals\.alice: needs roots, such as/],
    ['are none', () => ({ alice: { roots: [] } }), /^\/c\.json: principals\.alice: needs roots, such as/],
    [
      'do not exist',
      ({ sandbox }) => ({ alice: { roots: [join(sandbox.root, 'nowhere')] } }),
      /^\/c\.json: principals\.alice\.roots: .*\/nowhere is not a folder\. Create it, or correct the path\.$/,
    ],
    [
      'contain the state of the service',
      ({ sandbox }) => ({ alice: { roots: [sandbox.root] } }),
      /^\/c\.json: principals\.alice\.roots.*Use a separate folder for this principal\.$/,
    ],
    [
      'lie in the state of the service',
      ({ folder }) => ({ alice: { roots: [folder('state/x')] } }),
      /^\/c\.json: principals\.alice\.roots.*Use a separate folder for this principal\.$/,
    ],
    [
      'contain the keys of the service',
      ({ folder }) => ({ alice: { roots: [folder('config')] } }),
      /^\/c\.json: principals\.alice\.roots.*Use a separate folder for this principal\.$/,
    ],
    [
      "are the owner's Claude Code",
      ({ sandbox }) => ({ alice: { roots: [sandbox.configDir] } }),
      /^\/c\.json: principals\.alice\.roots.*Use a separate folder for this principal\.$/,
    ],
    [
      'are the home of the user',
      ({ sandbox }) => ({ alice: { roots: [sandbox.home] } }),
      /^\/c\.json: principals\.alice\.roots.*Use a separate folder for this principal\.$/,
    ],
    [
      'are trusted where the state is',
      ({ folder, sandbox }) => ({ alice: { roots: [folder('a')], trustedRoots: [sandbox.stateDir] } }),
      /^\/c\.json: principals\.alice\.trustedRoots.*Use a separate folder for this principal\.$/,
    ],
  ])('of principals stop the start if they %s', async (_how, principalsIn, message) => {
    const scene = stage();

    await expect(scene.plan(principalsIn(scene))).rejects.toThrow(message);
  });

  it.each<[string, (scene: Scene) => Readonly<Record<string, object>>, RegExp]>([
    [
      'a key of another principal',
      ({ folder }) => {
        const apiKeyFile = join(folder('bob'), 'alice.key');
        writeFileSync(apiKeyFile, 'sk-alice', { mode: 0o600 });
        return { alice: { roots: [folder('alice')], apiKeyFile }, bob: { roots: [folder('bob')] } };
      },
      /^principals\.alice\.apiKeyFile: .*alice\.key must not be in a folder in which sessions work \(principals\.bob\.roots: /,
    ],
    [
      'their own key',
      ({ folder }) => {
        const apiKeyFile = join(folder('alice'), 'alice.key');
        writeFileSync(apiKeyFile, 'sk-alice', { mode: 0o600 });
        return { alice: { roots: [folder('alice')], apiKeyFile } };
      },
      /^principals\.alice\.apiKeyFile: .*Move the file\.$/,
    ],
  ])('of principals stop the start if they contain %s', async (_what, principalsIn, message) => {
    const scene = stage();

    await expect(scene.plan(principalsIn(scene))).rejects.toThrow(message);
  });

  it('of principals stop the start if they contain the config file', async () => {
    const { folder, plan } = stage();
    const alice = folder('alice');

    const refused = plan({ alice: { roots: [alice] } }, {}, join(alice, 'config.json'));

    await expect(refused).rejects.toThrow(/^--config: .*\/config\.json must not be in a folder/);
  });

  it('of the owner must be named when there are others', async () => {
    const { folder, plan } = stage();

    const refused = plan({ alice: { roots: [folder('alice')] } }, { CLAUDE_CODE_MCP_ROOTS: '' });

    await expect(refused).rejects.toThrow('roots: required when there are other principals.');
  });

  it('may have names that begin with the same letters', async () => {
    const { folder, plan } = stage();

    const { plans } = await plan({ al: { roots: [folder('al')] }, alice: { roots: [folder('alice')] } });

    expect([...plans.keys()]).toEqual(['owner', 'al', 'alice']);
  });

  it('of the service stop the start if others could have prepared them', async () => {
    const { sandbox, folder, plan } = stage();
    symlinkSync(folder('elsewhere'), join(sandbox.stateDir, 'principals'));

    await expect(plan({ alice: { roots: [folder('alice')] } })).rejects.toThrow(
      /principals: must be a folder that belongs to you and that others cannot change \(symbolic-link\)$/,
    );
  });
});

it.each<[string, (state: string) => void, RegExp]>([
  [
    'a file where its folder should be',
    (state) => writeFileSync(join(state, 'principals'), ''),
    /principals: (?:cannot be created|must be a folder)/,
  ],
  [
    'a state that others can change',
    (state) => {
      mkdirSync(join(state, 'principals', 'alice', 'state'), { recursive: true, mode: 0o700 });
      chmodSync(join(state, 'principals', 'alice', 'state'), 0o777);
    },
    /principals\/alice\/state/,
  ],
  ['a state of the service that others can change', (state) => chmodSync(state, 0o777), /\/state/],
])('a principal stops the start with %s', async (_what, prepare, message) => {
  const { sandbox, folder, plan } = stage();
  prepare(sandbox.stateDir);

  const refused = plan({ alice: { roots: [folder('alice')] } });

  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(message);
});

describe('the sign-in of a principal', () => {
  function keyFile({ sandbox }: Scene, text: string, mode = 0o600): string {
    const path = join(sandbox.root, 'alice.key');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  it('is its own key, and nothing else that Claude Code could prefer', async () => {
    const scene = stage();
    const entry = { roots: [scene.folder('alice')], apiKeyFile: keyFile(scene, 'sk-alice\n') };

    const { plans } = await scene.plan(
      { alice: entry },
      { ANTHROPIC_AUTH_TOKEN: 't', CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_OAUTH_TOKEN: 'o' },
    );

    const { environment } = plans.get('alice') ?? {};
    expect(environment).toMatchObject({ ANTHROPIC_API_KEY: 'sk-alice' });
    expect(Object.keys(environment ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/AUTH_TOKEN|BEDROCK|OAUTH/)]),
    );
  });

  it("is the operator's key otherwise, but never the owner's subscription", async () => {
    const scene = stage();

    const { plans, stderr } = await scene.plan(
      { alice: { roots: [scene.folder('alice')] } },
      { CLAUDE_CODE_OAUTH_TOKEN: 'o' },
    );

    const { environment } = plans.get('alice') ?? {};
    expect(environment).toMatchObject({ ANTHROPIC_API_KEY: 'sk-fake-for-tests' });
    expect(environment).not.toHaveProperty('CLAUDE_CODE_OAUTH_TOKEN');
    expect(stderr()).not.toContain('no credentials');
  });

  it('is reported as missing at the start, with the folder in which to sign in', async () => {
    const scene = stage();
    const env = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'o' };

    const { stderr } = await scene.plan({ alice: { roots: [scene.folder('alice')] } }, env);

    expect(stderr()).toContain('Claude Code has no credentials for this principal');
    expect(stderr()).toContain(join(scene.sandbox.stateDir, 'principals', 'alice', 'claude'));
  });

  it.each<[string, string, number, RegExp]>([
    ['others can read', 'sk-alice', 0o644, /can be read by other users\. Run: chmod 600/],
    ['others can change', 'sk-alice', 0o622, /can be changed by other users\. Run: chmod 600/],
    ['is empty', '', 0o600, /must contain an API key and nothing else$/],
    ['contains more', 'sk-alice sk-bob', 0o600, /must contain an API key and nothing else$/],
  ])('is not read from a file that %s', async (_which, text, mode, message) => {
    const scene = stage();
    const entry = { roots: [scene.folder('alice')], apiKeyFile: keyFile(scene, text, mode) };

    const refused = scene.plan({ alice: entry });

    await expect(refused).rejects.toThrow(/^\/c\.json: principals\.alice\.apiKeyFile=/);
    await expect(refused).rejects.toThrow(message);
  });

  it('is not read from a file that does not exist', async () => {
    const scene = stage();
    const entry = { roots: [scene.folder('alice')], apiKeyFile: '/missing.key' };

    const refused = scene.plan({ alice: entry });

    await expect(refused).rejects.toThrow(
      '/c.json: principals.alice.apiKeyFile=/missing.key: file not found. Save the key there, or correct the path.',
    );
  });
});

describe.skipIf(!canRunAs)('a principal with its own user', () => {
  const [{ uid, gid }, runAs] = [userOf('alice'), `${uids.alice}:${uids.alice}`];

  it('has its own home, Claude Code and temporary folder, and no variable that leads to those of the service', async () => {
    const { sandbox, folder, plan } = stage();

    const { plans } = await plan(
      { owner: { runAs }, bob: { roots: [folder('bob')], runAs: '23702:23702' } },
      { TEMP: '/tmp/service', TMP: '/tmp/service', USER: 'root' },
    );

    const own = (name: string): string => join(`${sandbox.stateDir}-users`, 'owner', name);
    const { settings, environment, home, user } = plans.get('owner') ?? {};
    expect({ home, user }).toEqual({
      home: own('home'),
      user: {
        system: { uid, gid },
        name: undefined,
        folders: {
          home: own('home'),
          claude: own('claude'),
          temporary: own('tmp'),
          launches: own('launches'),
        },
      },
    });
    expect(settings).toMatchObject({ stateDir: sandbox.stateDir, defaultCwd: sandbox.project });
    expect(environment).toMatchObject({
      HOME: own('home'),
      CLAUDE_CONFIG_DIR: own('claude'),
      TMPDIR: own('tmp'),
      CLAUDE_CODE_TMPDIR: own('tmp'),
      TEMP: undefined,
      TMP: undefined,
      USER: String(uid),
      LOGNAME: String(uid),
    });
    expect(plans.get('bob')?.settings.stateDir).toBe(join(sandbox.stateDir, 'principals', 'bob', 'state'));
  });

  it('needs no consent if all have one', async () => {
    const { plan, folder } = stage();
    const consent = { CLAUDE_CODE_MCP_ACCEPT_SHARED_UID: '0' };
    const bob = { roots: [folder('bob')], runAs: '23702:23702' };

    await expect(plan({ bob }, consent)).rejects.toThrow(/^Not every principal has runAs: sessions of owner/);
    await expect(plan({ owner: { runAs }, bob }, consent)).resolves.toBeDefined();
  });

  it('needs roots, also as the owner alone', async () => {
    const { plan } = stage();

    await expect(plan({ owner: { runAs } }, { CLAUDE_CODE_MCP_ROOTS: '' })).rejects.toThrow(
      'roots: required with principals.owner.runAs.',
    );
  });

  it('does not work where the service keeps files of all principals', async () => {
    const { plan, folder } = stage();

    await expect(plan({ bob: { roots: [folder('state-users/bob')], runAs } })).rejects.toThrow(
      /principals\.bob\.roots: .*\/state-users\/bob must not contain .*\/state-users or lie in it/,
    );
  });

  it('stops the start if a link is where its folders should be', async () => {
    const { plan, folder, sandbox } = stage();
    symlinkSync(folder('elsewhere'), `${sandbox.stateDir}-users`);

    await expect(plan({ bob: { roots: [folder('bob')], runAs } })).rejects.toThrow(
      /state-users: must be a folder that only root can change \(symbolic-link\)/,
    );
  });
});
