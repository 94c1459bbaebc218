import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mask } from '../../src/core/observability/mask.js';
import { startBareSession } from '../kit/bare-session.js';
import { shared, startScene, type AtEnd, type Scene, type SceneOptions } from '../kit/fixture.js';
import { connectServer, type ServerClient } from '../kit/server-client.js';
import { hasTerminal, startTerminalSession } from '../kit/terminal-session.js';
import { until } from '../kit/until.js';

const secret = 'sk-ant-api03-PLANTED0123456789abcdef';

async function list({ server }: { server: ServerClient }, args: Record<string, unknown> = {}) {
  const { json } = await server.call('claude_code_session', { action: 'list', scope: 'all', ...args });
  return json;
}

/** A session that a program has begun without this server, and ended. */
async function bare({ sandbox, model }: Scene, prompt: string, cwd = sandbox.project): Promise<string> {
  const session = startBareSession({ cwd, env: sandbox.env(model) });
  const { session_id: sessionId } = await session.turn(prompt);
  session.end();
  await session.ended;
  return sessionId;
}

async function startOurs({ server, sandbox }: Scene, args: Record<string, unknown> = {}): Promise<string> {
  const { json } = await server.call('claude_code', {
    prompt: 'remember the word heron',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  return json.sessionId;
}

/** A home with three sessions of programs, and two files that hold none. */
async function startWithHistory(atEnd: AtEnd) {
  const scene = await startScene({ era: 'modern' }, atEnd);
  const { root, configDir } = scene.sandbox;
  const other = join(root, 'other');
  mkdirSync(other);
  const first = await bare(scene, `paint the Fence with ${secret}`);
  const second = await bare(scene, 'mow the lawn');
  const elsewhere = await bare(scene, 'fence the lawn', other);
  const folder = join(configDir, 'projects', '-broken');
  mkdirSync(folder);
  writeFileSync(join(folder, '00000000-0000-4000-8000-000000000001.jsonl'), '');
  writeFileSync(join(folder, '00000000-0000-4000-8000-000000000002.jsonl'), '{"type":"user","message":{"con');
  return { ...scene, first, second, elsewhere };
}

describe('a list of sessions', () => {
  const share = shared(startWithHistory);

  it('is narrowed by folder, words and number, and says what it leaves out', async () => {
    const { first, second, elsewhere, ...scene } = share();

    const words = await list(scene, { query: 'FENCE' });
    const here = await list(scene, { projectDirectory: scene.sandbox.project });
    const one = await list(scene, { limit: 1 });

    expect(words.sessions).toMatchObject([{ sessionId: elsewhere }, { sessionId: first }]);
    expect(words.message).toBe('2 empty, damaged or unreadable files were skipped');
    expect(here.sessions).toMatchObject([{ sessionId: second }, { sessionId: first }]);
    expect(one.sessions).toMatchObject([{ sessionId: elsewhere }]);
    expect(one.message).toMatch(/^2 older sessions are not shown/);
  });

  it('has nothing from outside the roots, and nothing at all without history', async () => {
    const { first, second, ...scene } = share();
    const bounded = await connect(scene, { CLAUDE_CODE_MCP_ROOTS: scene.sandbox.project });
    const blind = await connect(scene, { CLAUDE_CODE_MCP_HISTORY: 'off' });

    const { sessions } = await list({ server: bounded });
    const refused = await blind.call('claude_code_session', { action: 'list', scope: 'disk' });
    await Promise.all([bounded.close(), blind.close()]);

    expect(sessions).toMatchObject([{ sessionId: second }, { sessionId: first }]);
    expect(sessions).toHaveLength(2);
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_HISTORY=list/);
  });

  it('has those of programs and of this server, each once, the latest first', async () => {
    const { first, second, elsewhere, ...scene } = share();
    const ownBefore = (await list(scene, { scope: undefined })).sessions;
    const ours = await startOurs(scene, { title: 'birds' });

    const { sessions } = await list(scene);
    const own = (await list(scene, { scope: undefined })).sessions;
    const onDisk = (await list(scene, { scope: 'disk' })).sessions;

    expect(ownBefore).toEqual([]);
    expect(own).toMatchObject([{ sessionId: ours }]);
    expect(onDisk).toContainEqual(expect.objectContaining({ sessionId: first }));
    expect(sessions).toMatchObject([
      { sessionId: ours, title: 'birds', status: 'idle', turn: 1, origin: 'program' },
      { sessionId: elsewhere },
      { sessionId: second },
      {
        sessionId: first,
        firstPrompt: `paint the Fence with ${mask}`,
        cwd: scene.sandbox.project,
        origin: 'program',
        bytes: expect.any(Number),
        lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect(sessions).toHaveLength(4);
    expect(sessions?.[3]).not.toHaveProperty('ownerPid');
    expect(scene.server.stdout()).not.toContain('PLANTED');
  });
});

describe.skipIf(!hasTerminal)('a session of a person in the terminal', () => {
  it('is listed with its owner, refused while that is open, and resumed afterwards', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model } = scene;
    const terminal = await startTerminalSession(scene, 'remember the word heron');
    const { sessionId } = terminal;

    const whileOpen = await list(scene);
    const refused = await server.call('claude_code_reply', { sessionId, prompt: 'which word?' });
    await terminal.exit();
    const afterwards = await list(scene);
    const resumed = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'which word?',
      waitMs: 20_000,
    });

    const line = { sessionId, firstPrompt: 'remember the word heron', origin: 'terminal' };
    expect(whileOpen.sessions).toMatchObject([{ ...line, ownerPid: terminal.pid }]);
    expect(refused.text).toMatch(
      new RegExp(
        `^Error \\[SESSION_BUSY\\]: another Claude Code process \\(pid ${terminal.pid}\\).*forkSession`,
      ),
    );
    expect(afterwards.sessions).toMatchObject([line]);
    expect(afterwards.sessions?.[0]).not.toHaveProperty('ownerPid');
    expect(resumed.json).toMatchObject({ sessionId, status: 'idle', result: { result: 'ok' } });
    expect(JSON.stringify(model.requests(sessionId).at(-1)?.body)).toContain('heron');
  });
});

describe('two servers', () => {
  it('reply to one session at the same moment: exactly one gets it', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await bare(scene, 'remember the word heron');
    const second = await connect(scene, {});

    const answers = await Promise.all(
      [scene.server, second].map((server) =>
        server.call('claude_code_reply', { sessionId, prompt: 'which word?', waitMs: 20_000 }),
      ),
    );
    const listed = await Promise.all([list(scene), list({ server: second })]);
    await second.close();

    const errors = answers.filter(({ isError }) => isError);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.text).toMatch(
      /^Error \[SESSION_BUSY\]: another server process \(pid \d+\).*forkSession/,
    );
    expect(answers.find(({ isError }) => !isError)?.json).toMatchObject({ status: 'idle', sessionId });
    // The loser sees who has it: the winner's Claude Code, which is still there.
    const owners = listed.map(({ sessions }) => sessions?.[0]?.ownerPid);
    expect(owners.filter((pid) => pid !== undefined)).toHaveLength(1);
  });

  it('a server that is killed leaves nothing that keeps the next one from the session', async () => {
    const scene = await startScene({ era: 'modern' });
    const first = await connect(scene, {});
    const sessionId = await startOurs({ ...scene, server: first });
    first.kill('SIGKILL');
    await first.exited;
    await until('its Claude Code is gone', () => scene.sandbox.processes().length === 1);

    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'which word?',
      waitMs: 20_000,
    });

    expect(reply.json).toMatchObject({ sessionId, status: 'idle', result: { turn: 2 } });
  });
});

function connect({ model, sandbox }: Scene, env: NonNullable<SceneOptions['env']>): Promise<ServerClient> {
  return connectServer({ era: 'modern', model, sandbox, env });
}

it('a fork is listed and found by its own first prompt, although its transcript begins with that of its parent', async () => {
  const env = { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions' };
  const scene = await startScene({ era: 'modern', env });
  const sessionId = await startOurs(scene);
  const prompt = 'plant a beech';
  const more = { sessionId, prompt, forkSession: true, waitMs: 20_000 };
  const fork = await scene.server.call('claude_code_reply', more);

  const found = await list(scene, { query: 'beech' });
  const six = await scene.server.call('claude_list_sessions', {});

  expect(found.sessions).toMatchObject([{ sessionId: fork.json.sessionId, firstPrompt: prompt }]);
  expect(six.json.sessions).toMatchObject([
    { displayText: prompt },
    { displayText: 'remember the word heron' },
  ]);
});
