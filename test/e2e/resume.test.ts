import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createArgvLog } from '../kit/argv-log.js';
import { startBareSession } from '../kit/bare-session.js';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { connectServer, type ServerClient } from '../kit/server-client.js';
import { startIdle } from '../kit/start-idle.js';

type Stage = Omit<Scene, 'server'>;

function connect({ model, sandbox }: Stage, env: Record<string, string> = {}): Promise<ServerClient> {
  return connectServer({ era: 'modern', model, sandbox, env });
}

/** The server is stopped, and another one started on the same files. */
async function restart(scene: Scene, env: Record<string, string> = {}): Promise<ServerClient> {
  await scene.server.close();
  return connect(scene, env);
}

/** A session that somebody has had with Claude Code itself. */
async function leaveForeign({ model, sandbox }: Stage, cwd = sandbox.project): Promise<string> {
  const session = startBareSession({ cwd, env: sandbox.env(model), permissionMode: 'acceptEdits' });
  const result = await session.turn('remember the word heron');
  session.end();
  await session.ended;
  return result.session_id;
}

function recordOf({ sandbox }: Stage, sessionId: string): string {
  return join(sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
}

function lastRequest({ model }: Stage, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body);
}

const secret = { CLAUDE_CODE_MCP_RESUME_SECRET: 'a-secret-of-many-characters' };

const more = { prompt: 'which word?', waitMs: 20_000 };

describe('a session of an earlier server', () => {
  it('goes on with its options and with what was allowed for it', async () => {
    const scene = await startScene({ era: 'modern' });
    const { model, sandbox } = scene;
    model.when('write', [
      tool('Write', { file_path: join(sandbox.project, 'a.txt'), content: 'a' }),
      text('written'),
    ]);
    const started = await scene.server.call('claude_code', {
      prompt: 'write one',
      model: 'claude-sonnet-4-5',
      disallowedTools: ['WebFetch'],
      maxTurns: 9,
      title: 'birds',
      waitMs: 20_000,
    });
    const { sessionId, actions } = started.json;
    await scene.server.call('claude_code_respond', {
      requestId: actions?.[0]?.requestId,
      decision: 'allow_for_session',
      waitMs: 20_000,
    });
    const log = createArgvLog(join(sandbox.root, 'wrapper'));
    const server = await restart(scene, { CLAUDE_CODE_PATH: log.executable });

    const reply = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'write another',
      waitMs: 20_000,
    });
    await server.close();

    expect(reply.json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { result: 'written' },
    });
    expect(log.launches()[0]).toEqual(
      expect.arrayContaining([
        `--resume=${sessionId}`,
        '--model=claude-sonnet-4-5',
        '--disallowedTools=WebFetch',
        '--max-turns=9',
      ]),
    );
  });
});

describe('a fork', () => {
  it('branches off a session that is running, which goes on undisturbed', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model } = scene;
    const sessionId = await startIdle(scene);
    const held = createGate();
    model.when('hold', [gate(held, text('held'))]);
    await server.call('claude_code_reply', { sessionId, prompt: 'hold' });
    await held.reached;

    const fork = await server.call('claude_code_reply', { sessionId, ...more, forkSession: true });
    const parent = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    held.open();
    const after = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(fork.json).toMatchObject({ status: 'idle', result: { turn: 1 } });
    expect(lastRequest(scene, fork.json.sessionId)).toContain('heron');
    expect(parent.json.status).toBe('running');
    expect(after.json).toMatchObject({ status: 'idle', result: { result: 'held', turn: 2 } });
  });
});

describe('a session that this server did not start', () => {
  it("is refused while it is alive, except as a fork, goes on in its own folder, in this server's mode, and is known from then on", async () => {
    const stage = await startBackstage();
    const { model, sandbox } = stage;
    const folder = join(sandbox.root, 'elsewhere');
    mkdirSync(folder);
    const other = startBareSession({
      cwd: folder,
      env: sandbox.env(model),
      permissionMode: 'acceptEdits',
    });
    const { session_id: sessionId } = await other.turn('remember the word heron');
    const log = createArgvLog(join(sandbox.root, 'wrapper'));
    const server = await connect(stage, { CLAUDE_CODE_PATH: log.executable });

    const refused = await server.call('claude_code_reply', { sessionId, ...more });
    const unknown = await server.call('claude_code_session', { action: 'list' });
    const fork = await server.call('claude_code_reply', { sessionId, ...more, forkSession: true });
    other.end();
    await other.ended;
    const moved = await server.call('claude_code_reply', {
      sessionId,
      ...more,
      diskResumeConfig: { cwd: sandbox.project },
    });
    const bypassing = await server.call('claude_code_reply', {
      sessionId,
      ...more,
      diskResumeConfig: { permissionMode: 'bypassPermissions' },
    });
    const reply = await server.call('claude_code_reply', { sessionId, ...more });
    const known = await server.call('claude_code_session', { action: 'list' });
    await server.close();

    expect(refused.text).toMatch(
      /^Error \[SESSION_BUSY\]: another Claude Code process \(pid \d+\) .*forkSession: true/,
    );
    expect(unknown.json.sessions).toEqual([]);
    expect(fork.json).toMatchObject({ status: 'idle', result: { turn: 1 } });
    expect(fork.json.sessionId).not.toBe(sessionId);
    expect(lastRequest(stage, fork.json.sessionId)).toContain('heron');
    expect(moved.text).toMatch(/^Error \[INVALID_ARGUMENT\]: a session cannot move to another folder/);
    expect(bypassing.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*bypassPermissions/);
    expect(reply.json).toMatchObject({ sessionId, result: { turn: 1, sessionTotalCostUsd: 0.0044 } });
    // Without a RESUME_SECRET there are no tokens.
    for (const { text: answer } of [fork, reply]) expect(answer).not.toContain('resumeToken');
    expect(lastRequest(stage, sessionId)).toContain('heron');
    expect(lastRequest(stage, sessionId)).toContain(`Primary working directory: ${folder}`);
    expect(log.launches().map((argv) => argv.filter((word) => word.startsWith('--permission-mode')))).toEqual(
      [['--permission-mode=default'], ['--permission-mode=default']],
    );
    expect(known.json.sessions?.map((session) => session.sessionId).toSorted()).toEqual(
      [sessionId, fork.json.sessionId].toSorted(),
    );
  });

  it('is refused where the operator does not let it be resumed, a fork of it too', async () => {
    const stage = await startBackstage();
    const sessionId = await leaveForeign(stage);
    const operators: [Record<string, string>, string][] = [
      [{ CLAUDE_CODE_MCP_HISTORY: 'off' }, 'CLAUDE_CODE_MCP_HISTORY=resume'],
      [{ CLAUDE_CODE_MCP_HISTORY: 'list' }, 'CLAUDE_CODE_MCP_HISTORY=resume'],
      [{ CLAUDE_CODE_MCP_ALLOW_DISK_RESUME: '0' }, 'CLAUDE_CODE_MCP_ALLOW_DISK_RESUME=1'],
      [secret, 'needs its resumeToken'],
    ];

    for (const [env, hint] of operators) {
      const server = await connect(stage, env);
      const reply = await server.call('claude_code_reply', { sessionId, ...more });
      const fork = await server.call('claude_code_reply', { sessionId, ...more, forkSession: true });
      const list = await server.call('claude_code_session', { action: 'list' });
      await server.close();

      for (const { text: answer } of [reply, fork]) {
        expect(answer).toContain('Error [PERMISSION_DENIED]: ');
        expect(answer).toContain(hint);
      }
      expect(list.json.sessions).toEqual([]);
    }
    expect(stage.model.requests()).toHaveLength(1);
    expect(readdirSync(stage.sandbox.stateDir)).not.toContain('sessions');
  });
});

describe('with a RESUME_SECRET', () => {
  // Tokens of forks, and replies while the record is there, are tested in process.
  it('a session is found again by its own token only, once its record is gone', async () => {
    const scene = await startScene({ era: 'modern', env: secret });
    const first = await scene.server.call('claude_code', {
      prompt: 'remember the word heron',
      waitMs: 20_000,
    });
    const { sessionId } = first.json;
    const token = (first.json as { resumeToken?: string }).resumeToken;
    await scene.server.close();
    rmSync(recordOf(scene, sessionId));
    const server = await connect(scene, secret);
    const reply = (resumeToken: string | undefined) =>
      server.call('claude_code_reply', { sessionId, ...more, resumeToken });

    const refused = [await reply(undefined), await reply('x'), await reply(`${token}=`)];
    const right = await reply(token);
    await server.close();

    expect(token).toMatch(/^[\w-]{43}$/);
    for (const { text: answer } of refused)
      expect(answer).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_RESUME_SECRET/);
    expect(right.json).toMatchObject({ sessionId, status: 'idle', result: { turn: 1 } });
    expect(lastRequest(scene, sessionId)).toContain('heron');
  });
});
