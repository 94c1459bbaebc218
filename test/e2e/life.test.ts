import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareSession, type BareSession } from '../kit/bare-session.js';
import { claudePids } from '../kit/claude-pids.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { apiError, gate, text } from '../kit/model-steps.js';
import { connectServer, type Era, type ServerClient, type ToolReply } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { journalOf } from '../kit/journals.js';

async function startIdle(scene: Scene, args: Record<string, unknown> = {}): Promise<string> {
  const { json } = await scene.server.call('claude_code', {
    prompt: 'remember the word heron',
    cwd: scene.sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  expect(json).toMatchObject({ status: 'idle', result: { result: 'ok', turn: 1 } });
  return json.sessionId;
}

/** Claude Code started by somebody else on the same conversation. */
function startOther({ sandbox, model }: Scene, sessionId: string): BareSession {
  return startBareSession({ resume: sessionId, cwd: sandbox.project, env: sandbox.env(model) });
}

function lastRequestText({ model }: Scene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body);
}

function reply(
  { server }: Pick<Scene, 'server'>,
  sessionId: string,
  args: Record<string, unknown> = {},
): Promise<ToolReply> {
  return server.call('claude_code_reply', { sessionId, prompt: 'which word?', waitMs: 20_000, ...args });
}

function closed({ sandbox }: Scene): Promise<boolean> {
  return until('the process is closed', () => claudePids(sandbox).length === 0);
}

describe('a reply', () => {
  it('reuses the process, after a turn that failed too, and the record says how far the session is', async () => {
    const scene = await startScene({ era: 'modern' });
    scene.model.when('fail now', [apiError(529, 'overloaded_error', 'Overloaded')]);
    const sessionId = await startIdle(scene);
    const record = journalOf(scene, sessionId).fields;
    const before = claudePids(scene.sandbox);

    const second = await reply(scene, sessionId);
    const pids = claudePids(scene.sandbox);
    const seen = lastRequestText(scene, sessionId);
    const failed = await reply(scene, sessionId, { prompt: 'fail now' });
    const again = await reply(scene, sessionId, { prompt: 'try again' });
    const transcripts = readdirSync(join(scene.sandbox.configDir, 'projects'), { recursive: true });

    expect(second.json).toMatchObject({
      status: 'idle',
      result: { turn: 2, totalCostUsd: 0.0044, sessionTotalCostUsd: 0.0088 },
    });
    expect(pids).toEqual(before);
    expect(seen).toContain('heron');
    expect(failed.json).toMatchObject({
      status: 'error',
      result: { isError: true, errorSubtype: 'overloaded' },
    });
    expect(again.json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { result: 'ok', outcome: 'completed' },
    });
    expect(record).toMatchObject({
      sessionId,
      claudeSessionId: sessionId,
      turn: 1,
      totals: { turns: 1, costUsd: 0.0044 },
    });
    const file = join(scene.sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(transcripts.some((name) => String(name).endsWith(`${sessionId}.jsonl`))).toBe(true);
  });

  it('resumes the conversation after the process was killed', async () => {
    const scene = await startScene({ era: 'legacy' });
    const sessionId = await startIdle(scene);
    for (const pid of claudePids(scene.sandbox)) process.kill(pid, 'SIGKILL');
    await closed(scene);

    const { json } = await reply(scene, sessionId);

    expect(json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { turn: 2, sessionTotalCostUsd: 0.0088 },
    });
    expect(lastRequestText(scene, sessionId)).toContain('heron');
  });

  it('starts again under its id when Claude Code died before it wrote anything', async () => {
    const scene = await startScene({ era: 'modern' });
    const held = createGate();
    scene.model.when('hold', [gate(held, text('never'))]);
    const { json } = await scene.server.call('claude_code', {
      prompt: 'hold heron',
      cwd: scene.sandbox.project,
    });
    await held.reached;
    for (const pid of claudePids(scene.sandbox)) process.kill(pid, 'SIGKILL');
    const { sessionId } = json;
    await scene.server.call('claude_code_check', { sessionId });
    rmSync(join(scene.sandbox.configDir, 'projects'), { recursive: true, force: true });

    const again = await reply(scene, sessionId, { prompt: 'from new' });

    expect(again.json).toMatchObject({ sessionId, status: 'idle', result: { result: 'ok' } });
    expect(lastRequestText(scene, sessionId)).not.toContain('heron');
  });

  it('is refused while another process has the conversation open, a fork is not, and later it sees what the other wrote', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const [before] = claudePids(scene.sandbox);
    const other = startOther(scene, sessionId);
    await other.turn('somebody else says kingfisher');

    const refused = await reply(scene, sessionId, { prompt: 'and I' });
    const fork = await reply(scene, sessionId, { prompt: 'then in a copy', forkSession: true });
    other.end();
    await other.ended;
    const later = await reply(scene, sessionId, { prompt: 'which words?' });

    expect(refused.text).toMatch(
      /^Error \[SESSION_BUSY\]: another Claude Code process \(pid \d+\) .*forkSession/,
    );
    expect(fork.json).toMatchObject({ status: 'idle', result: { turn: 1, sessionTotalCostUsd: 0.0044 } });
    expect(fork.json.sessionId).not.toBe(sessionId);
    expect(lastRequestText(scene, fork.json.sessionId)).toContain('heron');
    expect(later.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(claudePids(scene.sandbox)).not.toContain(before);
    expect(lastRequestText(scene, sessionId)).toContain('kingfisher');
  });
});

describe('a session of an earlier server', () => {
  it('is found by its record, resumed after each rest, refused without its conversation, and stays cancelled', async () => {
    const scene = await startScene({ era: 'modern' });
    const { model, sandbox } = scene;
    const connect = (era: Era): Promise<ServerClient> =>
      connectServer({ era, model, sandbox, env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const sessionId = await startIdle(scene, { title: 'birds' });
    const server = await connect('legacy');
    const cancel = { action: 'cancel', sessionId };

    await scene.server.close();
    const resumed = await reply({ server }, sessionId);
    const seen = lastRequestText(scene, sessionId);
    await closed(scene);
    const afterRest = await reply({ server }, sessionId, { prompt: 'and now?' });
    await closed(scene);
    rmSync(join(sandbox.configDir, 'projects'), { recursive: true });
    const lost = await reply({ server }, sessionId);
    const cancelled = await server.call('claude_code_session', cancel);
    await server.close();
    const third = await connect('modern');
    const afterwards = await reply({ server: third }, sessionId);
    await third.close();

    expect(resumed.json).toMatchObject({
      sessionId,
      result: { turn: 2, sessionTotalCostUsd: 0.0088 },
    });
    expect(afterRest.json).toMatchObject({ sessionId, status: 'idle', result: { turn: 3 } });
    for (const body of [seen, lastRequestText(scene, sessionId)]) expect(body).toContain('heron');
    expect(lost.text).toMatch(/^Error \[SESSION_NOT_FOUND\]: .*not on disk.*Start a new session/);
    expect(cancelled.json.status).toBe('cancelled');
    expect(afterwards.text).toMatch(/^Error \[CANCELLED\]/);
  });
});

describe('what stays on disk', () => {
  it('is nothing with persistSession false, and the session ends with its process', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene, { advanced: { persistSession: false } });
    const second = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'more',
      waitMs: 20_000,
    });
    const held = createGate();
    scene.model.when('hold', [gate(held, text('never'))]);
    await scene.server.call('claude_code_reply', { sessionId, prompt: 'hold' });
    await held.reached;
    for (const pid of claudePids(scene.sandbox)) process.kill(pid, 'SIGKILL');
    const crashed = await scene.server.call('claude_code_check', { sessionId });

    const third = await scene.server.call('claude_code_reply', { sessionId, prompt: 'even more' });

    expect(second.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(crashed.json).toMatchObject({ status: 'error', result: { errorSubtype: 'crashed' } });
    expect(third.text).toMatch(/^Error \[CANCELLED\]: .*was not saved to disk/);
    const kept = readdirSync(join(scene.sandbox.stateDir, 'sessions')).join();
    expect(kept).not.toContain(sessionId);
    expect(readdirSync(join(scene.sandbox.stateDir, 'launches'))).toEqual([]);
  });
});
