import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  restartInProcess,
  startInProcess,
  type InProcessScene,
  type InProcessServer,
} from '../kit/in-process.js';
import { startIdle } from '../kit/start-idle.js';

/** The server is stopped, and another one started on the same files. */
async function restarted(scene: InProcessScene, env: Record<string, string> = {}): Promise<InProcessServer> {
  return (await restartInProcess(scene, { era: 'modern', env })).server;
}

function recordOf({ sandbox }: InProcessScene, sessionId: string): string {
  return join(sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
}

function lastRequest({ model }: InProcessScene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body);
}

const more = { prompt: 'which word?', waitMs: 20_000 };

describe('a session of an earlier server', () => {
  it('has no secrets on disk, and says what it was not given again', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
    const sessionId = await startIdle(scene, {
      advanced: {
        env: { BIRD_TOKEN: 'sekret-of-the-env' },
        mcpServers: {
          far: { type: 'http', url: 'https://a.example/', headers: { A: 'sekret-of-the-header' } },
        },
      },
    });
    const server = await restarted(scene, { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' });
    const record = readFileSync(recordOf(scene, sessionId), 'utf8');

    const reply = await server.call('claude_code_reply', { sessionId, ...more });
    const given = await server.call('claude_code_reply', {
      sessionId,
      ...more,
      diskResumeConfig: { env: { BIRD_TOKEN: 'sekret-of-the-env' } },
    });
    await server.close();

    expect(reply.json).toMatchObject({ status: 'idle', notRestored: ['env', 'mcpServers'] });
    expect(given.json).toMatchObject({ status: 'idle', notRestored: ['mcpServers'] });
    expect(record).not.toContain('sekret');
  });

  it('has no secrets of the servers of its agents on disk, nor any in an address', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' } });
    const agentServer = { command: 'true', env: { TOKEN: 'sekret-of-the-agent' } };
    const url = 'https://ann:sekret-of-the-address@a.example/?key=sekret-of-the-query';
    const options = [
      { agents: { a: { description: 'd', prompt: 'p', mcpServers: [{ s: agentServer }] } } },
      { mcpServers: { far: { type: 'http', url } } },
    ];

    const ids = await Promise.all(options.map((advanced) => startIdle(scene, { advanced })));
    await scene.server.close();

    const records = ids.map((id) => readFileSync(recordOf(scene, id), 'utf8'));
    expect(records.flatMap((record) => [...record.matchAll(/sekret-[a-z-]+/g)].map(String))).toEqual([]);
  });

  it('tells a fork, too, what it was not given again', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene, { advanced: { env: { TZ: 'Asia/Tokyo' } } });
    const server = await restarted(scene);

    const fork = await server.call('claude_code_reply', { sessionId, ...more, forkSession: true });
    await server.close();

    expect(fork.json).toMatchObject({ status: 'idle', notRestored: ['env'] });
  });

  it('takes other options by diskResumeConfig, but no other folder', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene, { model: 'claude-sonnet-4-5' });
    const other = join(scene.sandbox.root, 'other');
    mkdirSync(other);
    const server = await restarted(scene);
    const change = { model: 'claude-opus-4-5', maxTurns: 3, effort: 'low' };

    const refused = await server.call('claude_code_reply', {
      sessionId,
      ...more,
      diskResumeConfig: { cwd: other },
    });
    const reply = await server.call('claude_code_reply', { sessionId, ...more, diskResumeConfig: change });
    await server.close();

    expect(refused.text).toMatch(/^Error \[INVALID_ARGUMENT\]: a session cannot move to another folder/);
    expect(reply.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(scene.world.launches.slice(1)).toMatchObject([change]);
  });
});

describe('an option that a reply sets to null', () => {
  it('is unset, and stays so', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const outputFormat = { type: 'json_schema', schema: { type: 'object' } };
    const sessionId = await startIdle(scene, { title: 'Birds', advanced: { effort: 'low' } });
    const set = await scene.server.call('claude_code_reply', {
      sessionId,
      ...more,
      diskResumeConfig: { outputFormat },
    });

    const unset = await scene.server.call('claude_code_reply', {
      sessionId,
      ...more,
      diskResumeConfig: { outputFormat: null, effort: null },
    });
    const later = await scene.server.call('claude_code_reply', { sessionId, ...more });

    expect([set, unset, later].map(({ json }) => json.status)).not.toContain('running');
    expect(later.json).toMatchObject({ status: 'idle' });
    expect(scene.world.launches).toMatchObject([{ effort: 'low' }, { effort: 'low', outputFormat }, {}]);
    expect(scene.world.launches[2]).not.toHaveProperty('outputFormat');
    expect(scene.world.launches[2]).not.toHaveProperty('effort');
  });

  it('elsewhere means that it was not passed', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const sessionId = await startIdle(scene, { maxTurns: 7, advanced: { effort: null } });

    await scene.server.call('claude_code_reply', { sessionId, ...more, maxTurns: null });

    expect(scene.world.launches).toMatchObject([{ maxTurns: 7 }]);
  });
});

describe('with a RESUME_SECRET', () => {
  const secret = { CLAUDE_CODE_MCP_RESUME_SECRET: 'a-secret-of-many-characters' };

  it('a session is found again by its own token only, once its record is gone', async () => {
    const scene = await startInProcess({ era: 'modern', env: secret });
    const first = await scene.server.call('claude_code', {
      prompt: 'remember the word heron',
      waitMs: 20_000,
    });
    const { sessionId } = first.json;
    const later = await scene.server.call('claude_code_check', { sessionId });
    const fork = await scene.server.call('claude_code_reply', { sessionId, ...more, forkSession: true });
    const tokens = [first, fork].map(({ json }) => (json as { resumeToken?: string }).resumeToken);
    const server = await restarted(scene, secret);

    const withRecord = await server.call('claude_code_reply', { sessionId, ...more });
    await server.close();
    rmSync(recordOf(scene, sessionId));
    const third = await restarted(scene, secret);
    const reply = (resumeToken: string | undefined) =>
      third.call('claude_code_reply', { sessionId, ...more, resumeToken });
    const refused = [
      await reply(undefined),
      await reply('x'),
      await reply(tokens[1]),
      await reply(`${tokens[0]}=`),
    ];
    const right = await reply(tokens[0]);
    await third.close();

    expect(tokens).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^[\w-]{43}$/)));
    expect(new Set(tokens).size).toBe(2);
    expect(later.text).not.toContain('resumeToken');
    expect(withRecord.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    for (const { text: answer } of refused)
      expect(answer).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_RESUME_SECRET/);
    expect(right.json).toMatchObject({ sessionId, status: 'idle', result: { turn: 1 } });
    expect(lastRequest(scene, sessionId)).toContain('heron');
  });
});
