import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServiceInProcess, type ServiceScene } from '../../kit/in-process-service.js';
import { createGate } from '../../kit/gate.js';
import { gate, text, tool } from '../../kit/model-steps.js';
import { accept, formCapability, neverAnswer, seatPerson } from '../../kit/person.js';
import { answerOf, formOf, personThinks, retryWith } from '../../kit/rounds.js';
import type { Era } from '../../kit/server-client.js';
import { startTwo } from './scene.js';

const eras = ['modern', 'legacy'] as const;
const two = { alice: {}, bob: {} };
const touch = { command: 'touch a.txt' };

describe('the state of a call that waits for a form', () => {
  it('is not valid for another principal', async () => {
    const scene = await startServiceInProcess({ principals: two });
    const options = { era: 'modern', capabilities: formCapability } as const;
    const alice = await scene.connect('alice', options);
    const bob = await scene.connect('bob', options);
    scene.model.when('touch it', [tool('Bash', touch), text('Done.')]);
    const call = { name: 'claude_code', args: { prompt: 'touch it', waitMs: 20_000 } };
    const { state } = await formOf(alice, call);
    await personThinks(alice);
    const allow = accept({ decision: 'allow' });

    const stolen = await answerOf(bob, call, retryWith(state, allow));
    const invented = await answerOf(bob, call, retryWith('invented', allow));
    const own = await answerOf(alice, call, retryWith(state, allow));

    expect(stolen.text).toBe(invented.text);
    expect(stolen.isError).toBe(true);
    expect(own.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });
});

describe('a connection of the 2025 protocols', () => {
  it('cannot be continued by another principal', async () => {
    const scene = await startServiceInProcess({ principals: two });
    const alice = await scene.connect('alice', { era: 'legacy' });
    const stolen = alice.sessionId();

    const answers = await Promise.all(
      [stolen, stolen?.replace(/.$/, 'x')].map(async (id) => {
        const answer = await scene.fetch('bob', {
          method: 'POST',
          headers: { 'mcp-session-id': id ?? '' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        });
        return [answer.status, await answer.text()];
      }),
    );

    expect(stolen).toMatch(/./);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(404);
  });
});

describe('people', () => {
  it('see the requests of their own principal only', async () => {
    const scene = await startServiceInProcess({ principals: two });
    const options = { era: 'legacy', capabilities: formCapability } as const;
    const alice = await scene.connect('alice', options);
    const bob = await scene.connect('bob', options);
    const [hers, his] = [seatPerson(alice, neverAnswer), seatPerson(bob, neverAnswer)];
    scene.model.when('touch it', [tool('Bash', touch), text('Done.')]);

    const { json } = await bob.call('claude_code', { prompt: 'touch it' });
    await his.form(0);
    await bob.call('claude_code_session', { action: 'cancel', sessionId: json.sessionId });

    expect([hers.forms.length, his.forms.length]).toEqual([0, 1]);
  });

  it('count for their own client only', async () => {
    const era = 'modern';
    const scene = await startServiceInProcess({
      principals: two,
      env: { CLAUDE_CODE_MCP_APPROVALS: 'auto' },
    });
    scene.model.when('touch it', [tool('Bash', touch), text('Done.')]);
    const token = await scene.tokenFor('alice');
    const alice = await scene.connect('alice', { era, token, capabilities: formCapability });
    seatPerson(alice, () => accept({ decision: 'allow' }));
    await alice.call('claude_code', { prompt: 'touch it', waitMs: 20_000 });

    const answers = await Promise.all(
      [
        scene.connect('alice', { era, token }),
        scene.connect('alice', { era }),
        scene.connect('bob', { era }),
      ].map(async (connecting) => {
        const caller = await connecting;
        const { json } = await caller.call('claude_code', { prompt: 'touch it', waitMs: 20_000 });
        const requestId = json.actions?.[0]?.requestId;
        return (await caller.call('claude_code_respond', { requestId, decision: 'allow' })).isError;
      }),
    );

    expect(answers).toEqual([true, false, false]);
  });
});

describe('bypassPermissions', () => {
  it.each(eras)('is enabled for one principal only, %s era', async (era) => {
    const { alice, bob } = await startTwo(era);
    const start = { prompt: 'hello', permissionMode: 'bypassPermissions', waitMs: 20_000 };

    await alice.call('claude_code_configure', { action: 'enable_bypass' });
    const [hers, his] = await Promise.all([alice.call('claude_code', start), bob.call('claude_code', start)]);

    expect([hers.isError, his.isError]).toEqual([false, true]);
  });
});

describe('limits', () => {
  it('on the cost per day count for one principal', async () => {
    const scene = await startServiceInProcess({
      principals: { alice: { maxBudgetUsdPerDay: 0.004 }, bob: { maxBudgetUsdPerDay: 1 } },
    });
    const start = { prompt: 'hello', waitMs: 20_000 };
    const alice = await scene.connect('alice', { era: 'modern' });
    const bob = await scene.connect('bob', { era: 'modern' });

    await alice.call('claude_code', start);
    const [hers, his] = [await alice.call('claude_code', start), await bob.call('claude_code', start)];

    expect(hers.text).toMatch(/budget for today is spent/);
    expect(his.json).toMatchObject({ status: 'idle' });
  });

  it('on processes count for all, and name only the sessions of the caller', async () => {
    const scene = await startServiceInProcess({
      principals: { ...two, owner: { maxSessions: 1 } },
      env: { CLAUDE_CODE_MCP_MAX_SESSIONS: '2' },
    });
    const held = createGate();
    scene.model.when('hold', [gate(held, text('Done.'))]);
    const [alice, bob] = [
      await scene.connect('alice', { era: 'modern' }),
      await scene.connect('bob', { era: 'modern' }),
    ];
    await alice.call('claude_code', { prompt: 'hold' });
    const his = await bob.call('claude_code', { prompt: 'hold' });

    const refused = await bob.call('claude_code', { prompt: 'hello' });
    held.open();

    expect(refused.text).toMatch(/^Error \[RESOURCE_EXHAUSTED\]: all 2 live processes are busy: /);
    expect(refused.text.match(/[\da-f-]{36}/g)).toEqual([his.json.sessionId]);
  });
});

describe('a secret that a caller passes', () => {
  it('is not masked for another principal, who could search for it by that', async () => {
    const scene = await startServiceInProcess({
      principals: two,
      env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' },
    });
    const password = 'correct-horse-battery';
    scene.model.when('say', [text(`It is ${password}.`)]);
    const [alice, bob] = [
      await scene.connect('alice', { era: 'modern' }),
      await scene.connect('bob', { era: 'modern' }),
    ];
    const advanced = { env: { DATABASE_PASSWORD: password } };

    const hers = await alice.call('claude_code', { prompt: 'say', advanced, waitMs: 20_000 });
    const his = await bob.call('claude_code', { prompt: 'say', waitMs: 20_000 });

    expect(hers.text).not.toContain(password);
    expect(his.json.result?.result).toBe(`It is ${password}.`);
  });

  it('is masked in the records of its principal, and masks nothing in those of another', async () => {
    const scene = await startServiceInProcess({
      principals: two,
      env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full', CLAUDE_CODE_MCP_APPROVALS: 'any' },
      envFor: ({ root }) => ({ CLAUDE_CODE_MCP_AUDIT_LOG: join(root, 'audit.jsonl') }),
    });
    const word = 'correct-horse-battery';
    scene.model.when('run', [tool('Bash', { command: `touch ${word}` }), text('Done.')]);
    const advanced = { env: { DATABASE_PASSWORD: word } };
    for (const [name, more] of [
      ['alice', { advanced }],
      ['bob', {}],
    ] as const) {
      const { call } = await scene.connect(name, { era: 'modern' });
      const { json } = await call('claude_code', { prompt: 'run', waitMs: 20_000, ...more });
      const [request] = json.actions ?? [];
      await call('claude_code_respond', { requestId: request?.requestId, decision: 'deny' });
    }

    const entries = readFileSync(join(scene.sandbox.root, 'audit.jsonl'), 'utf8').trim().split('\n');
    const settled = entries.map((line) => JSON.parse(line)).filter(({ what }) => what === 'input_settled');

    expect(settled).toMatchObject([
      { principal: 'alice', summary: 'Bash: touch [redacted]' },
      { principal: 'bob', summary: `Bash: touch ${word}` },
    ]);
  });
});

describe('Claude Code', () => {
  it('finds the folder of its principal, and no other variable than those of the list', async () => {
    const scene = await startServiceInProcess({
      principals: two,
      env: {
        AWS_SECRET_ACCESS_KEY: 'of the operator',
        DEPLOY_REGION: 'eu',
        CLAUDE_CODE_OAUTH_TOKEN: 'of the owner',
        CLAUDE_CODE_MCP_PASS_ENV: 'DEPLOY_*',
      },
    });

    for (const name of ['owner', 'alice', 'bob']) await startIn(scene, name, 'modern');

    const [owners, hers, his] = scene.world.launches.map(({ env = {} }) => env);
    const shared = { ANTHROPIC_API_KEY: 'sk-fake-for-tests', DEPLOY_REGION: 'eu', HOME: scene.sandbox.home };
    const folder = (name: string): string => join(scene.sandbox.stateDir, 'principals', name, 'claude');
    expect(owners).toMatchObject({
      ...shared,
      CLAUDE_CONFIG_DIR: scene.sandbox.configDir,
      CLAUDE_CODE_OAUTH_TOKEN: 'of the owner',
    });
    expect(hers).toMatchObject({ ...shared, CLAUDE_CONFIG_DIR: folder('alice') });
    expect(his).toMatchObject({ ...shared, CLAUDE_CONFIG_DIR: folder('bob') });
    expect([hers, his].map((env) => env?.['CLAUDE_CODE_OAUTH_TOKEN'])).toEqual([undefined, undefined]);
    for (const env of [owners, hers, his])
      expect(Object.keys(env ?? {})).not.toContain('AWS_SECRET_ACCESS_KEY');
  });
});

describe('the audit log', () => {
  it('names the principal and the login of each entry', async () => {
    const scene = await startServiceInProcess({
      principals: two,
      envFor: ({ root }) => ({ CLAUDE_CODE_MCP_AUDIT_LOG: join(root, 'audit.jsonl') }),
    });

    await startIn(scene, 'alice', 'modern');
    await startIn(scene, 'bob', 'legacy');
    await scene.close();

    const lines = readFileSync(join(scene.sandbox.root, 'audit.jsonl'), 'utf8').trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.map(({ what, principal, clientId, login }) => [what, principal, clientId, login])).toEqual(
      [
        ['prompt_given', 'alice', 'alice', 'alice-1'],
        ['turn_ended', 'alice', undefined, undefined],
        ['tool_call', 'alice', 'alice', 'alice-1'],
        ['prompt_given', 'bob', 'bob', 'bob-2'],
        ['turn_ended', 'bob', undefined, undefined],
        ['tool_call', 'bob', 'bob', 'bob-2'],
      ],
    );
  });
});

async function startIn(scene: ServiceScene, principal: string, era: Era): Promise<void> {
  const caller = await scene.connect(principal, { era });
  await caller.call('claude_code', { prompt: 'hello', cwd: scene.rootOf(principal), waitMs: 20_000 });
}

describe('folders', () => {
  it('of a principal that become a link to those of another cannot be worked in', async () => {
    const scene = await startServiceInProcess({ principals: two });
    renameSync(scene.rootOf('alice'), join(scene.sandbox.root, 'moved'));
    symlinkSync(scene.rootOf('bob'), scene.rootOf('alice'));
    const alice = await scene.connect('alice', { era: 'modern' });

    const refused = await alice.call('claude_code', { prompt: 'hello', cwd: scene.rootOf('alice') });

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: cwd .*\/alice is outside/);
    expect(scene.world.launches).toEqual([]);
  });

  it.each(['.', 'principals', 'principals/alice/state', 'principals/alice/claude'])(
    'of the service cannot be worked in by the owner: %s',
    async (name) => {
      const scene = await startServiceInProcess({ principals: {}, env: { CLAUDE_CODE_MCP_ROOTS: '' } });
      const cwd = join(scene.sandbox.stateDir, name);
      mkdirSync(cwd, { recursive: true });
      const owner = await scene.connect('owner', { era: 'modern' });

      const refused = await owner.call('claude_code', { prompt: 'hello', cwd });

      expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: cwd .* this server stores its own files/);
      expect(scene.world.launches).toEqual([]);
    },
  );
});

describe('a service without settings', () => {
  it('lets only people approve, and hides sessions that it did not start', async () => {
    const scene = await startServiceInProcess({});
    scene.model.when('touch it', [tool('Bash', touch), text('Done.')]);
    const owner = await scene.connect('owner', { era: 'modern' });
    const { json } = await owner.call('claude_code', { prompt: 'touch it', waitMs: 20_000 });
    const requestId = json.actions?.[0]?.requestId;

    const approved = await owner.call('claude_code_respond', { requestId, decision: 'allow' });
    const listed = await owner.call('claude_code_session', { action: 'list', scope: 'disk' });

    expect(approved.text).toContain('CLAUDE_CODE_MCP_APPROVALS=human');
    expect(listed.text).toContain('this server does not list sessions on disk');
  });
});
